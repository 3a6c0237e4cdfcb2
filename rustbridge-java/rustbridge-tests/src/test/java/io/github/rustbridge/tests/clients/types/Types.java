// Written by `rustbridge gen -l java` of the plugin `types`: write it anew by that, not by hand.
package io.github.rustbridge.tests.clients.types;

import io.github.rustbridge.CallOptions;
import io.github.rustbridge.Items;
import io.github.rustbridge.Plugin;
import io.github.rustbridge.PluginConfig;
import io.github.rustbridge.TypedClient;
import io.github.rustbridge.TypedMethod;
import io.github.rustbridge.TypedSending;
import io.github.rustbridge.TypedServices;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Typed methods of the plugin {@code types}. */
public final class Types extends TypedClient {
  private static final String CONTRACT =
      String.join(
          "",
          "{\"methods\":[{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":6,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":",
          "\"\",\"request\":{\"type\":{\"ref\":0}},\"response\":{\"type\":{\"ref\":0}}}],\"name\"",
          ":\"every\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"",
          "index\":13,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":1}},\"response\":{\"type\":{\"ref\":1}}}],\"name\":",
          "\"numbers\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":20,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":",
          "\"\",\"request\":{\"type\":{\"ref\":2}},\"response\":{\"type\":{\"ref\":2}}}],\"name\"",
          ":\"texts\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"",
          "index\":27,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":3}},\"response\":{\"type\":{\"ref\":3}}}],\"name\":",
          "\"times\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i",
          "ndex\":34,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":4}},\"response\":{\"type\":{\"ref\":4}}}],\"name\":",
          "\"lists\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i",
          "ndex\":41,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":7}},\"response\":{\"type\":{\"ref\":7}}}],\"name\":",
          "\"pairs\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i",
          "ndex\":48,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":5}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":",
          "\"person\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"",
          "index\":55,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":11}},\"response\":{\"type\":{\"ref\":11}}}],\"name\"",
          ":\"people\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":62,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":",
          "\"\",\"request\":{\"type\":{\"ref\":13}},\"response\":{\"type\":{\"ref\":13}}}],\"name",
          "\":\"shape\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,",
          "\"index\":69,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":",
          "\"\",\"request\":{\"type\":{\"ref\":8}},\"response\":{\"type\":{\"ref\":8}}}],\"name\"",
          ":\"color\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"",
          "index\":76,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":24}},\"response\":{\"type\":{\"ref\":24}}}],\"name\"",
          ":\"mood\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"i",
          "ndex\":83,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"list\":{\"ref\":25}}},\"response\":{\"type\":{\"list\":{\"",
          "ref\":25}}}}],\"name\":\"events\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"w",
          "ire\",\"error\":null,\"index\":90,\"items\":null,\"kind\":\"unary\",\"parameter\":\"re",
          "quest\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":14}},\"response\":{\"type\":{",
          "\"ref\":14}}}],\"name\":\"tagged\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"",
          "wire\",\"error\":null,\"index\":97,\"items\":null,\"kind\":\"unary\",\"parameter\":\"r",
          "equest\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":15}},\"response\":{\"type\":",
          "{\"ref\":15}}}],\"name\":\"untagged\"},{\"entries\":[{\"arguments\":false,\"encoding\"",
          ":\"wire\",\"error\":null,\"index\":104,\"items\":null,\"kind\":\"unary\",\"parameter\"",
          ":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":16}},\"response\":{\"typ",
          "e\":{\"ref\":16}}}],\"name\":\"expr\"},{\"entries\":[{\"arguments\":false,\"encoding\"",
          ":\"wire\",\"error\":null,\"index\":111,\"items\":null,\"kind\":\"unary\",\"parameter\"",
          ":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":17}},\"response\":{\"typ",
          "e\":{\"ref\":17}}}],\"name\":\"tree\"},{\"entries\":[{\"arguments\":false,\"encoding\"",
          ":\"wire\",\"error\":null,\"index\":118,\"items\":null,\"kind\":\"unary\",\"parameter\"",
          ":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":18}},\"response\":{\"typ",
          "e\":{\"ref\":18}}}],\"name\":\"samples\"},{\"entries\":[{\"arguments\":false,\"encodin",
          "g\":\"wire\",\"error\":null,\"index\":125,\"items\":null,\"kind\":\"unary\",\"paramete",
          "r\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":6}},\"response\":{\"t",
          "ype\":{\"ref\":6}}}],\"name\":\"point\"},{\"entries\":[{\"arguments\":false,\"encoding",
          "\":\"wire\",\"error\":null,\"index\":132,\"items\":null,\"kind\":\"unary\",\"parameter",
          "\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":20}},\"response\":{\"t",
          "ype\":{\"ref\":20}}}],\"name\":\"celsius\"},{\"entries\":[{\"arguments\":false,\"encod",
          "ing\":\"wire\",\"error\":null,\"index\":139,\"items\":null,\"kind\":\"unary\",\"parame",
          "ter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":9}},\"response\":{",
          "\"type\":{\"ref\":9}}}],\"name\":\"foreign\"},{\"entries\":[{\"arguments\":false,\"enc",
          "oding\":\"wire\",\"error\":null,\"index\":146,\"items\":null,\"kind\":\"unary\",\"para",
          "meter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":26}},\"response\"",
          ":{\"type\":{\"ref\":26}}}],\"name\":\"bounded\"},{\"entries\":[{\"arguments\":false,\"",
          "encoding\":\"wire\",\"error\":null,\"index\":153,\"items\":null,\"kind\":\"unary\",\"p",
          "arameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":21}},\"respons",
          "e\":{\"type\":{\"ref\":21}}}],\"name\":\"unit\"},{\"entries\":[{\"arguments\":false,\"",
          "encoding\":\"wire\",\"error\":null,\"index\":160,\"items\":null,\"kind\":\"unary\",\"p",
          "arameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":22}},\"respons",
          "e\":{\"type\":{\"ref\":22}}}],\"name\":\"defaults\"},{\"entries\":[{\"arguments\":fals",
          "e,\"encoding\":\"wire\",\"error\":null,\"index\":167,\"items\":null,\"kind\":\"unary\"",
          ",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":23}},\"res",
          "ponse\":{\"type\":{\"ref\":23}}}],\"name\":\"renamed\"},{\"entries\":[{\"arguments\":f",
          "alse,\"encoding\":\"wire\",\"error\":null,\"index\":174,\"items\":null,\"kind\":\"unar",
          "y\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"any\"},\"respo",
          "nse\":{\"type\":\"any\"}}],\"name\":\"any\"},{\"entries\":[{\"arguments\":false,\"enco",
          "ding\":\"wire\",\"error\":null,\"index\":181,\"items\":null,\"kind\":\"unary\",\"param",
          "eter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"list\":\"f64\"}},\"respo",
          "nse\":{\"type\":{\"list\":\"f64\"}}}],\"name\":\"doubles\"},{\"entries\":[{\"arguments",
          "\":false,\"encoding\":\"wire\",\"error\":null,\"index\":188,\"items\":null,\"kind\":\"",
          "unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"map\":[\"",
          "string\",{\"ref\":5}]}},\"response\":{\"type\":{\"map\":[\"string\",{\"ref\":5}]}}}],",
          "\"name\":\"map\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":n",
          "ull,\"index\":195,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiv",
          "er\":\"\",\"request\":{\"type\":{\"option\":{\"ref\":5}}},\"response\":{\"type\":{\"op",
          "tion\":{\"ref\":5}}}}],\"name\":\"maybe\"},{\"entries\":[{\"arguments\":false,\"encodi",
          "ng\":\"wire\",\"error\":null,\"index\":202,\"items\":null,\"kind\":\"unary\",\"paramet",
          "er\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"tuple\":[\"u8\",\"string\"",
          ",{\"option\":\"bool\"}]}},\"response\":{\"type\":{\"tuple\":[\"u8\",\"string\",{\"opti",
          "on\":\"bool\"}]}}}],\"name\":\"tuple\"},{\"entries\":[{\"arguments\":false,\"encoding",
          "\":\"wire\",\"error\":null,\"index\":209,\"items\":null,\"kind\":\"unary\",\"parameter",
          "\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"duration\"},\"response\":{\"t",
          "ype\":\"duration\"}}],\"name\":\"duration\"},{\"entries\":[{\"arguments\":false,\"enco",
          "ding\":\"wire\",\"error\":null,\"index\":216,\"items\":null,\"kind\":\"unary\",\"param",
          "eter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"timestamp\"},\"response\"",
          ":{\"type\":\"timestamp\"}}],\"name\":\"timestamp\"},{\"entries\":[{\"arguments\":false",
          ",\"encoding\":\"wire\",\"error\":null,\"index\":223,\"items\":null,\"kind\":\"unary\",",
          "\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"respon",
          "se\":{\"type\":\"u64\"}}],\"name\":\"length\"},{\"entries\":[{\"arguments\":false,\"en",
          "coding\":\"wire\",\"error\":null,\"index\":230,\"items\":null,\"kind\":\"unary\",\"par",
          "ameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":11}},\"response",
          "\":{\"type\":{\"option\":{\"ref\":5}}}}],\"name\":\"oldest\"},{\"entries\":[{\"argumen",
          "ts\":false,\"encoding\":\"wire\",\"error\":null,\"index\":237,\"items\":null,\"kind\":",
          "\"unary\",\"parameter\":\"request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":1",
          "3}},\"response\":{\"type\":\"f64\"}}],\"name\":\"area\"},{\"entries\":[{\"arguments\":",
          "true,\"encoding\":\"wire\",\"error\":null,\"index\":244,\"items\":null,\"kind\":\"unar",
          "y\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":27}},\"respons",
          "e\":{\"type\":\"string\"}}],\"name\":\"part\"},{\"entries\":[{\"arguments\":true,\"enc",
          "oding\":\"wire\",\"error\":null,\"index\":251,\"items\":null,\"kind\":\"unary\",\"para",
          "meter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":28}},\"response\":{\"typ",
          "e\":{\"tuple\":[{\"ref\":5},{\"list\":\"string\"},{\"list\":\"f64\"},{\"ref\":8},\"byt",
          "es\",{\"option\":\"any\"}]}}}],\"name\":\"several\"},{\"entries\":[{\"arguments\":true",
          ",\"encoding\":\"wire\",\"error\":null,\"index\":258,\"items\":null,\"kind\":\"unary\",",
          "\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":29}},\"response\":",
          "{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut\"},{\"entries\":[{\"a",
          "rguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":265,\"items\":null,\"ki",
          "nd\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":32}",
          "},\"response\":{\"type\":{\"tuple\":[{\"ref\":31},\"bytes\"]}}}],\"name\":\"cut_later",
          "\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":2",
          "67,\"items\":null,\"kind\":\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"reques",
          "t\":{\"type\":\"bytes\"},\"response\":{\"type\":\"string\"}}],\"name\":\"hex\"},{\"ent",
          "ries\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":274,\"items",
          "\":null,\"kind\":\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"typ",
          "e\":\"bytes\"},\"response\":{\"type\":\"string\"}}],\"name\":\"hex_later\"},{\"entries",
          "\":[{\"arguments\":false,\"encoding\":\"raw\",\"error\":null,\"index\":281,\"items\":n",
          "ull,\"kind\":\"unary\",\"parameter\":\"digits\",\"receiver\":\"\",\"request\":{\"type",
          "\":\"string\"},\"response\":{\"type\":\"bytes\"}}],\"name\":\"unhex\"},{\"entries\":[{",
          "\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":293,\"items\":null,",
          "\"kind\":\"unary\",\"parameter\":\"data\",\"receiver\":\"\",\"request\":{\"type\":\"by",
          "tes\"},\"response\":{\"type\":\"u64\"}}],\"name\":\"nonzero\"},{\"entries\":[{\"argume",
          "nts\":false,\"encoding\":\"raw\",\"error\":null,\"index\":295,\"items\":null,\"kind\":",
          "\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"respo",
          "nse\":{\"type\":\"bytes\"}}],\"name\":\"magic\"},{\"entries\":[{\"arguments\":true,\"e",
          "ncoding\":\"wire\",\"error\":null,\"index\":307,\"items\":null,\"kind\":\"unary\",\"pa",
          "rameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":33}},\"response\":{\"t",
          "ype\":{\"ref\":5}}}],\"name\":\"aged\"},{\"entries\":[{\"arguments\":true,\"encoding\"",
          ":\"wire\",\"error\":null,\"index\":314,\"items\":null,\"kind\":\"server_stream\",\"par",
          "ameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":34}},\"response\":{\"ty",
          "pe\":\"i64\"}}],\"name\":\"steps\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"",
          "wire\",\"error\":null,\"index\":321,\"items\":null,\"kind\":\"unary\",\"parameter\":\"",
          "request\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":5}},\"response\":{\"type\":",
          "{\"ref\":5}}}],\"name\":\"later\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wi",
          "re\",\"error\":{\"type\":{\"ref\":36}},\"index\":328,\"items\":null,\"kind\":\"unary\"",
          ",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":35}},\"response\"",
          ":{\"type\":{\"ref\":5}}}],\"name\":\"search\"},{\"entries\":[{\"arguments\":true,\"enc",
          "oding\":\"wire\",\"error\":{\"type\":{\"ref\":36}},\"index\":335,\"items\":null,\"kind",
          "\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":37}},",
          "\"response\":{\"type\":{\"ref\":5}}}],\"name\":\"search_later\"},{\"entries\":[{\"argu",
          "ments\":true,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":39}},\"index\":342,\"i",
          "tems\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"typ",
          "e\":{\"ref\":38}},\"response\":{\"type\":{\"ref\":8}}}],\"name\":\"paint\"},{\"entries",
          "\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":40}},\"ind",
          "ex\":349,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\"",
          ",\"request\":{\"type\":\"bool\"},\"response\":{\"type\":\"unit\"}}],\"name\":\"power\"",
          "},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":35",
          "6,\"items\":null,\"kind\":\"server_stream\",\"parameter\":\"request\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":41}},\"response\":{\"type\":{\"ref\":5}}}],\"name\":",
          "\"repeat\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"",
          "index\":363,\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_stream\",\"parameter\":",
          "\"before\",\"receiver\":\"\",\"request\":{\"type\":\"u64\"},\"response\":{\"type\":{\"",
          "ref\":11}}}],\"name\":\"collect\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wi",
          "re\",\"error\":null,\"index\":370,\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_s",
          "tream\",\"parameter\":\"\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":42}},\"res",
          "ponse\":{\"type\":{\"list\":{\"ref\":5}}}}],\"name\":\"between\"},{\"entries\":[{\"arg",
          "uments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":377,\"items\":{\"type\":",
          "{\"ref\":13}},\"kind\":\"bidi_stream\",\"parameter\":\"\",\"receiver\":\"\",\"request",
          "\":{\"type\":\"unit\"},\"response\":{\"type\":{\"ref\":13}}}],\"name\":\"reshape\"},{",
          "\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":384,",
          "\"items\":null,\"kind\":\"unary\",\"parameter\":\"start\",\"receiver\":\"\",\"request",
          "\":{\"type\":\"i64\"},\"response\":{\"type\":{\"object\":\"Counter\"}}}],\"name\":\"co",
          "unter\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"ind",
          "ex\":391,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request\",\"receiver\":\"\"",
          ",\"request\":{\"type\":{\"list\":\"i64\"}},\"response\":{\"type\":{\"ref\":43}}}],\"na",
          "me\":\"counters\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":n",
          "ull,\"index\":398,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"",
          "\",\"request\":{\"type\":{\"ref\":44}},\"response\":{\"type\":{\"tuple\":[\"i64\",\"i6",
          "4\"]}}}],\"name\":\"transfer\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire",
          "\",\"error\":null,\"index\":405,\"items\":null,\"kind\":\"unary\",\"parameter\":\"requ",
          "est\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":43}},\"response\":{\"type\":\"i",
          "64\"}}],\"name\":\"total\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",",
          "\"error\":null,\"index\":412,\"items\":null,\"kind\":\"unary\",\"parameter\":\"request",
          "\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":45}},\"response\":{\"type\":\"byte",
          "s\"}}],\"name\":\"random\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",",
          "\"error\":null,\"index\":419,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"re",
          "ceiver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":{\"list\":\"strin",
          "g\"}}}],\"name\":\"echoes\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",",
          "\"error\":null,\"index\":426,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"re",
          "ceiver\":\"\",\"request\":{\"type\":{\"ref\":46}},\"response\":{\"type\":{\"option\":",
          "\"string\"}}}],\"name\":\"as_json\"},{\"entries\":[{\"arguments\":true,\"encoding\":\"",
          "wire\",\"error\":null,\"index\":433,\"items\":null,\"kind\":\"unary\",\"parameter\":\"",
          "\",\"receiver\":\"\",\"request\":{\"type\":{\"ref\":47}},\"response\":{\"type\":\"byte",
          "s\"}}],\"name\":\"as_message\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire",
          "\",\"error\":null,\"index\":440,\"items\":null,\"kind\":\"unary\",\"parameter\":\"name",
          "\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"type\":{\"optio",
          "n\":{\"ref\":5}}}}],\"name\":\"ask\"},{\"entries\":[{\"arguments\":false,\"encoding\":",
          "\"wire\",\"error\":null,\"index\":447,\"items\":null,\"kind\":\"unary\",\"parameter\":",
          "\"name\",\"receiver\":\"\",\"request\":{\"type\":\"string\"},\"response\":{\"type\":{",
          "\"ref\":5}}}],\"name\":\"ask_later\"},{\"entries\":[{\"arguments\":false,\"encoding\":",
          "\"wire\",\"error\":null,\"index\":454,\"items\":null,\"kind\":\"unary\",\"parameter\":",
          "\"\",\"receiver\":\"\",\"request\":{\"type\":\"unit\"},\"response\":{\"type\":\"u64\"}",
          "}],\"name\":\"ask_count\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"",
          "error\":null,\"index\":461,\"items\":null,\"kind\":\"unary\",\"parameter\":\"people\",",
          "\"receiver\":\"\",\"request\":{\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\"",
          ":{\"map\":[\"string\",\"u32\"]}}}],\"name\":\"ask_ages\"},{\"entries\":[{\"arguments\"",
          ":false,\"encoding\":\"wire\",\"error\":null,\"index\":468,\"items\":null,\"kind\":\"un",
          "ary\",\"parameter\":\"more\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"},",
          "\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.add\"},{\"entries\":[{\"arguments",
          "\":false,\"encoding\":\"wire\",\"error\":null,\"index\":475,\"items\":null,\"kind\":\"",
          "unary\",\"parameter\":\"more\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"}",
          ",\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.add_later\"},{\"entries\":[{\"ar",
          "guments\":false,\"encoding\":\"wire\",\"error\":{\"type\":{\"ref\":48}},\"index\":482,",
          "\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"reques",
          "t\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.half\"},{",
          "\"entries\":[{\"arguments\":true,\"encoding\":\"wire\",\"error\":null,\"index\":489,\"",
          "items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"request",
          "\":{\"type\":{\"ref\":49}},\"response\":{\"type\":\"bool\"}}],\"name\":\"Counter.withi",
          "n\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\"",
          ":496,\"items\":null,\"kind\":\"unary\",\"parameter\":\"\",\"receiver\":\"Counter\",\"r",
          "equest\":{\"type\":\"unit\"},\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.get",
          "\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"error\":null,\"index\":",
          "503,\"items\":null,\"kind\":\"unary\",\"parameter\":\"other\",\"receiver\":\"Counter\"",
          ",\"request\":{\"type\":{\"object\":\"Counter\"}},\"response\":{\"type\":\"i64\"}}],\"n",
          "ame\":\"Counter.absorb\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"wire\",\"e",
          "rror\":null,\"index\":510,\"items\":null,\"kind\":\"server_stream\",\"parameter\":\"en",
          "d\",\"receiver\":\"Counter\",\"request\":{\"type\":\"i64\"},\"response\":{\"type\":\"i",
          "64\"}}],\"name\":\"Counter.upto\"},{\"entries\":[{\"arguments\":false,\"encoding\":\"w",
          "ire\",\"error\":null,\"index\":517,\"items\":{\"type\":{\"ref\":5}},\"kind\":\"client_",
          "stream\",\"parameter\":\"\",\"receiver\":\"Counter\",\"request\":{\"type\":\"unit\"},",
          "\"response\":{\"type\":\"i64\"}}],\"name\":\"Counter.admit\"}],\"name\":\"types\",\"se",
          "rvices\":[{\"encoding\":\"wire\",\"name\":\"directory.find\",\"optional\":true,\"reque",
          "st\":{\"type\":\"string\"},\"response\":{\"type\":{\"option\":{\"ref\":5}}}},{\"encodi",
          "ng\":\"wire\",\"name\":\"directory.fetch\",\"optional\":true,\"request\":{\"type\":\"s",
          "tring\"},\"response\":{\"type\":{\"ref\":5}}},{\"encoding\":\"wire\",\"name\":\"direct",
          "ory.count\",\"optional\":true,\"request\":{\"type\":\"unit\"},\"response\":{\"type\":",
          "\"u64\"}},{\"encoding\":\"wire\",\"name\":\"ages.of\",\"optional\":true,\"request\":{",
          "\"type\":{\"list\":{\"ref\":5}}},\"response\":{\"type\":{\"map\":[\"string\",\"u32\"]}",
          "}}],\"types\":[{\"name\":\"Every\",\"record\":[{\"name\":\"numbers\",\"type\":{\"ref\"",
          ":1}},{\"name\":\"texts\",\"type\":{\"ref\":2}},{\"name\":\"times\",\"type\":{\"ref\":3",
          "}},{\"name\":\"lists\",\"type\":{\"ref\":4}},{\"name\":\"pairs\",\"type\":{\"ref\":7}}",
          ",{\"name\":\"foreign\",\"type\":{\"ref\":9}},{\"name\":\"people\",\"type\":{\"ref\":11",
          "}},{\"name\":\"words\",\"type\":{\"ref\":12}},{\"name\":\"color\",\"type\":{\"ref\":8}",
          "},{\"name\":\"shape\",\"type\":{\"ref\":13}},{\"name\":\"tagged\",\"type\":{\"ref\":14",
          "}},{\"name\":\"untagged\",\"type\":{\"ref\":15}},{\"name\":\"expr\",\"type\":{\"ref\":",
          "16}},{\"name\":\"tree\",\"type\":{\"ref\":17}},{\"name\":\"samples\",\"type\":{\"ref\"",
          ":18}},{\"name\":\"celsius\",\"type\":{\"ref\":20}},{\"name\":\"unit\",\"type\":{\"ref",
          "\":21}},{\"name\":\"defaults\",\"type\":{\"ref\":22}},{\"name\":\"renamed\",\"type\":{",
          "\"ref\":23}},{\"name\":\"any\",\"type\":\"any\"},{\"name\":\"tuple\",\"type\":{\"tuple",
          "\":[\"u8\",\"string\",{\"option\":\"bool\"}]}}]},{\"name\":\"Numbers\",\"record\":[{\"",
          "name\":\"u8\",\"type\":\"u8\"},{\"name\":\"u16\",\"type\":\"u16\"},{\"name\":\"u32\",",
          "\"type\":\"u32\"},{\"name\":\"u64\",\"type\":\"u64\"},{\"name\":\"u128\",\"type\":\"u1",
          "28\"},{\"name\":\"i8\",\"type\":\"i8\"},{\"name\":\"i16\",\"type\":\"i16\"},{\"name\":",
          "\"i32\",\"type\":\"i32\"},{\"name\":\"i64\",\"type\":\"i64\"},{\"name\":\"i128\",\"typ",
          "e\":\"i128\"},{\"name\":\"f32\",\"type\":\"f32\"},{\"name\":\"f64\",\"type\":\"f64\"},",
          "{\"name\":\"bool\",\"type\":\"bool\"},{\"name\":\"char\",\"type\":\"char\"},{\"name\":",
          "\"size\",\"type\":\"u64\"},{\"name\":\"unit\",\"type\":\"unit\"}]},{\"name\":\"Texts\"",
          ",\"record\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"boxed\",\"type\":\"st",
          "ring\"},{\"name\":\"maybe_bytes\",\"type\":{\"option\":\"bytes\"}},{\"name\":\"bytes\"",
          ",\"type\":\"bytes\"},{\"name\":\"maybe\",\"type\":{\"option\":\"string\"}}]},{\"name\"",
          ":\"Times\",\"record\":[{\"name\":\"at\",\"type\":\"timestamp\"},{\"name\":\"lasts\",\"",
          "type\":\"duration\"},{\"name\":\"ends\",\"type\":{\"option\":\"timestamp\"}}]},{\"name",
          "\":\"Lists\",\"record\":[{\"name\":\"bytes\",\"type\":\"bytes\"},{\"name\":\"small\",",
          "\"type\":{\"list\":\"i8\"}},{\"name\":\"numbers\",\"type\":{\"list\":\"u32\"}},{\"name",
          "\":\"doubles\",\"type\":{\"list\":\"f64\"}},{\"name\":\"large\",\"type\":{\"list\":\"i",
          "128\"}},{\"name\":\"bools\",\"type\":{\"list\":\"bool\"}},{\"name\":\"texts\",\"type\"",
          ":{\"list\":\"string\"}},{\"name\":\"nested\",\"type\":{\"list\":{\"list\":\"u16\"}}},{",
          "\"name\":\"fixed\",\"type\":{\"array\":[\"u32\",3]}},{\"name\":\"matrix\",\"type\":{\"",
          "array\":[{\"array\":[\"f64\",2]},2]}},{\"name\":\"names\",\"type\":{\"array\":[\"strin",
          "g\",2]}},{\"name\":\"set\",\"type\":{\"list\":\"u32\"}},{\"name\":\"people\",\"type\":",
          "{\"list\":{\"ref\":5}}},{\"name\":\"points\",\"type\":{\"list\":{\"ref\":6}}},{\"name",
          "\":\"sizes\",\"type\":{\"list\":\"u64\"}},{\"name\":\"boxes\",\"type\":{\"list\":\"f32",
          "\"}},{\"name\":\"chars\",\"type\":{\"list\":\"char\"}},{\"name\":\"options\",\"type\":",
          "{\"list\":{\"option\":\"u8\"}}},{\"name\":\"tuples\",\"type\":{\"list\":{\"tuple\":[\"",
          "u8\",\"u32\"]}}}]},{\"name\":\"Person\",\"record\":[{\"name\":\"name\",\"type\":\"stri",
          "ng\"},{\"name\":\"age\",\"type\":\"u32\"},{\"name\":\"email\",\"type\":{\"option\":\"s",
          "tring\"}}]},{\"name\":\"Point\",\"pod\":[{\"name\":\"x\",\"type\":\"f64\"},{\"name\":",
          "\"y\",\"type\":\"f64\"}]},{\"name\":\"Pairs\",\"record\":[{\"name\":\"by_name\",\"type",
          "\":{\"map\":[\"string\",\"u32\"]}},{\"name\":\"by_number\",\"type\":{\"map\":[\"i64\",",
          "\"string\"]}},{\"name\":\"by_char\",\"type\":{\"map\":[\"char\",\"bytes\"]}},{\"name\"",
          ":\"by_color\",\"type\":{\"map\":[{\"ref\":8},{\"ref\":5}]}},{\"name\":\"hashed\",\"typ",
          "e\":{\"map\":[\"u16\",{\"option\":\"f32\"}]}},{\"name\":\"nested\",\"type\":{\"map\":[",
          "\"string\",{\"map\":[\"u8\",\"bool\"]}]}}]},{\"enum\":{\"variants\":[{\"name\":\"red\"",
          "},{\"name\":\"green\"},{\"name\":\"dark_blue\"}]},\"name\":\"Color\"},{\"name\":\"Fore",
          "ign\",\"record\":[{\"name\":\"id\",\"type\":\"uuid\"},{\"name\":\"parent\",\"type\":{",
          "\"option\":\"uuid\"}},{\"name\":\"names\",\"type\":{\"map\":[\"uuid\",\"string\"]}},{",
          "\"name\":\"made\",\"type\":\"timestamp\"},{\"name\":\"took\",\"type\":\"duration\"},{",
          "\"name\":\"seen\",\"type\":\"timestamp\"},{\"name\":\"waits\",\"type\":{\"list\":\"dur",
          "ation\"}},{\"name\":\"ends\",\"type\":{\"option\":\"timestamp\"}},{\"name\":\"lasts\",",
          "\"type\":\"duration\"},{\"name\":\"at\",\"type\":{\"ref\":10}},{\"name\":\"others\",\"",
          "type\":{\"map\":[\"string\",{\"list\":{\"ref\":10}}]}}]},{\"name\":\"Endpoint\",\"reco",
          "rd\":[{\"name\":\"address\",\"type\":\"string\"},{\"name\":\"port\",\"type\":\"u16\"}]",
          "},{\"name\":\"PagePerson\",\"record\":[{\"name\":\"items\",\"type\":{\"list\":{\"ref\"",
          ":5}}},{\"name\":\"total\",\"type\":\"u64\"}]},{\"name\":\"PageString\",\"record\":[{\"",
          "name\":\"items\",\"type\":{\"list\":\"string\"}},{\"name\":\"total\",\"type\":\"u64\"}",
          "]},{\"enum\":{\"variants\":[{\"name\":\"Nothing\"},{\"fields\":[{\"name\":\"radius\",",
          "\"type\":\"f64\"}],\"name\":\"Circle\"},{\"name\":\"Polygon\",\"tuple\":[{\"list\":{\"",
          "ref\":6}}]}]},\"name\":\"Shape\"},{\"enum\":{\"tag\":{\"inside\":\"kind\"},\"variants",
          "\":[{\"fields\":[{\"name\":\"atSecond\",\"type\":\"u64\"}],\"name\":\"started\"},{\"fi",
          "elds\":[{\"name\":\"toPlace\",\"type\":{\"ref\":6}},{\"name\":\"howFast\",\"type\":{\"",
          "option\":\"f32\"}}],\"name\":\"moved\"},{\"name\":\"stopped\"}]},\"name\":\"Tagged\"},",
          "{\"enum\":{\"tag\":\"none\",\"variants\":[{\"name\":\"Number\",\"tuple\":[\"i64\"]},{",
          "\"name\":\"Text\",\"tuple\":[\"string\"]},{\"name\":\"Both\",\"tuple\":[\"i64\",\"stri",
          "ng\"]}]},\"name\":\"Untagged\"},{\"enum\":{\"variants\":[{\"name\":\"Number\",\"tuple",
          "\":[\"f64\"]},{\"name\":\"Negated\",\"tuple\":[{\"ref\":16}]},{\"name\":\"Sum\",\"tupl",
          "e\":[{\"ref\":16},{\"ref\":16}]},{\"fields\":[{\"name\":\"name\",\"type\":\"string\"},",
          "{\"name\":\"arguments\",\"type\":{\"list\":{\"ref\":16}}}],\"name\":\"Call\"}]},\"name",
          "\":\"Expr\"},{\"name\":\"Tree\",\"record\":[{\"name\":\"name\",\"type\":\"string\"},{",
          "\"name\":\"children\",\"type\":{\"list\":{\"ref\":17}}}]},{\"name\":\"Samples\",\"reco",
          "rd\":[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"first\",\"type\":{\"ref\":19",
          "}},{\"name\":\"all\",\"type\":{\"list\":{\"ref\":19}}},{\"name\":\"pair\",\"type\":{\"",
          "array\":[{\"ref\":6},2]}}]},{\"name\":\"Sample\",\"pod\":[{\"name\":\"time\",\"type\":",
          "\"u64\"},{\"name\":\"value\",\"type\":\"f32\"},{\"name\":\"channel\",\"type\":\"u16\"}",
          ",{\"name\":\"flags\",\"type\":{\"array\":[\"u8\",2]}}]},{\"name\":\"Celsius\",\"newtyp",
          "e\":\"f64\"},{\"name\":\"Unit\",\"newtype\":\"unit\"},{\"name\":\"Defaults\",\"record",
          "\":[{\"default\":true,\"name\":\"count\",\"type\":\"u32\"},{\"default\":true,\"name\":",
          "\"name\",\"type\":\"string\"},{\"default\":true,\"name\":\"list\",\"type\":\"bytes\"},",
          "{\"default\":true,\"name\":\"maybe\",\"type\":{\"option\":\"u64\"}}]},{\"name\":\"Rena",
          "medRecord\",\"record\":[{\"name\":\"firstName\",\"type\":\"string\"},{\"name\":\"type",
          "\",\"type\":{\"ref\":8}},{\"name\":\"class\",\"type\":\"u8\"},{\"flatten\":true,\"name",
          "\":\"person\",\"type\":{\"ref\":5}}]},{\"enum\":{\"open\":true,\"variants\":[{\"name\"",
          ":\"Calm\"},{\"name\":\"Glad\"}]},\"name\":\"Mood\"},{\"enum\":{\"open\":true,\"variant",
          "s\":[{\"name\":\"Came\"},{\"fields\":[{\"name\":\"others\",\"type\":{\"list\":{\"ref\"",
          ":5}}},{\"name\":\"mood\",\"type\":{\"ref\":24}}],\"name\":\"Met\"},{\"name\":\"Said\",",
          "\"tuple\":[\"string\"]}]},\"name\":\"Event\"},{\"name\":\"Bounded\",\"record\":[{\"nam",
          "e\":\"share\",\"type\":\"u8\"},{\"name\":\"all\",\"type\":\"bytes\"}]},{\"name\":\"Par",
          "tParameters\",\"record\":[{\"name\":\"text\",\"type\":\"string\"},{\"name\":\"start\",",
          "\"type\":\"u32\"},{\"name\":\"count\",\"type\":{\"option\":\"u32\"}}]},{\"name\":\"Sev",
          "eralParameters\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"ni",
          "ck_names\",\"type\":{\"list\":\"string\"}},{\"name\":\"numbers\",\"type\":{\"list\":\"",
          "f64\"}},{\"name\":\"type\",\"type\":{\"ref\":8}},{\"name\":\"class\",\"type\":\"bytes",
          "\"},{\"name\":\"self_\",\"type\":{\"option\":\"any\"}}]},{\"name\":\"CutParameters\",",
          "\"record\":[{\"name\":\"how\",\"type\":{\"ref\":30}},{\"name\":\"data\",\"type\":\"byt",
          "es\"}]},{\"name\":\"Cut\",\"record\":[{\"name\":\"skip\",\"type\":\"u32\"},{\"name\":",
          "\"times\",\"type\":\"u32\"}]},{\"name\":\"Piece\",\"record\":[{\"name\":\"length\",\"t",
          "ype\":\"u64\"},{\"name\":\"first\",\"type\":{\"option\":\"u8\"}}]},{\"name\":\"CutLate",
          "rParameters\",\"record\":[{\"name\":\"how\",\"type\":{\"ref\":30}},{\"name\":\"data\",",
          "\"type\":\"bytes\"}]},{\"name\":\"AgedParameters\",\"record\":[{\"name\":\"person\",\"",
          "type\":{\"ref\":5}},{\"name\":\"years\",\"type\":\"u32\"}]},{\"name\":\"StepsParameter",
          "s\",\"record\":[{\"name\":\"first\",\"type\":\"i64\"},{\"name\":\"last\",\"type\":\"i6",
          "4\"},{\"name\":\"step\",\"type\":\"u32\"}]},{\"name\":\"SearchParameters\",\"record\":",
          "[{\"name\":\"name\",\"type\":\"string\"},{\"name\":\"people\",\"type\":{\"list\":{\"re",
          "f\":5}}}]},{\"enum\":{\"variants\":[{\"fields\":[{\"name\":\"name\",\"type\":\"string",
          "\"},{\"name\":\"similar\",\"type\":{\"list\":{\"ref\":5}}}],\"name\":\"Nobody\"},{\"na",
          "me\":\"Hidden\"},{\"name\":\"Crowd\",\"tuple\":[\"u64\",{\"list\":\"f64\"}]}]},\"name",
          "\":\"SearchError\"},{\"name\":\"SearchLaterParameters\",\"record\":[{\"name\":\"name\"",
          ",\"type\":\"string\"},{\"name\":\"people\",\"type\":{\"list\":{\"ref\":5}}}]},{\"name",
          "\":\"PaintParameters\",\"record\":[{\"name\":\"color\",\"type\":{\"ref\":8}},{\"name\"",
          ":\"better\",\"type\":{\"option\":{\"ref\":8}}}]},{\"name\":\"Refused\",\"record\":[{\"",
          "name\":\"color\",\"type\":{\"ref\":8}},{\"name\":\"better\",\"type\":{\"option\":{\"re",
          "f\":8}}}]},{\"enum\":{\"variants\":[{\"name\":\"Out\"}]},\"name\":\"PowerError\"},{\"n",
          "ame\":\"Repeat\",\"record\":[{\"name\":\"person\",\"type\":{\"ref\":5}},{\"name\":\"ti",
          "mes\",\"type\":\"u32\"}]},{\"name\":\"BetweenParameters\",\"record\":[{\"name\":\"youn",
          "gest\",\"type\":\"u32\"},{\"name\":\"oldest\",\"type\":\"u32\"}]},{\"name\":\"Counters",
          "\",\"record\":[{\"name\":\"first\",\"type\":{\"option\":{\"object\":\"Counter\"}}},{\"",
          "name\":\"others\",\"type\":{\"list\":{\"object\":\"Counter\"}}},{\"name\":\"name\",\"t",
          "ype\":\"string\"}]},{\"name\":\"TransferParameters\",\"record\":[{\"name\":\"from\",\"",
          "type\":{\"object\":\"Counter\"}},{\"name\":\"to\",\"type\":{\"object\":\"Counter\"}},{",
          "\"name\":\"count\",\"type\":\"i64\"}]},{\"name\":\"Random\",\"record\":[{\"name\":\"me",
          "thod\",\"type\":\"string\"},{\"name\":\"seed\",\"type\":\"u64\"}]},{\"name\":\"AsJsonP",
          "arameters\",\"record\":[{\"name\":\"method\",\"type\":\"string\"},{\"name\":\"message",
          "\",\"type\":\"bytes\"}]},{\"name\":\"AsMessageParameters\",\"record\":[{\"name\":\"met",
          "hod\",\"type\":\"string\"},{\"name\":\"json\",\"type\":\"string\"}]},{\"name\":\"Odd\"",
          ",\"record\":[{\"name\":\"count\",\"type\":\"i64\"}]},{\"name\":\"CounterWithinParamete",
          "rs\",\"record\":[{\"name\":\"least\",\"type\":\"i64\"},{\"name\":\"most\",\"type\":\"i",
          "64\"}]}],\"version\":\"0.1.0\"}");

  private final TypedMethod<Every, Every> every;
  private final TypedMethod<Numbers, Numbers> numbers;
  private final TypedMethod<Texts, Texts> texts;
  private final TypedMethod<Times, Times> times;
  private final TypedMethod<Lists, Lists> lists;
  private final TypedMethod<Pairs, Pairs> pairs;
  private final TypedMethod<Person, Person> person;
  private final TypedMethod<PagePerson, PagePerson> people;
  private final TypedMethod<Shape, Shape> shape;
  private final TypedMethod<Color, Color> color;
  private final TypedMethod<Mood, Mood> mood;
  private final TypedMethod<List<Event>, List<Event>> events;
  private final TypedMethod<Tagged, Tagged> tagged;
  private final TypedMethod<Untagged, Untagged> untagged;
  private final TypedMethod<Expr, Expr> expr;
  private final TypedMethod<Tree, Tree> tree;
  private final TypedMethod<Samples, Samples> samples;
  private final TypedMethod<Point, Point> point;
  private final TypedMethod<Celsius, Celsius> celsius;
  private final TypedMethod<Foreign, Foreign> foreign;
  private final TypedMethod<Bounded, Bounded> bounded;
  private final TypedMethod<Unit, Unit> unit;
  private final TypedMethod<Defaults, Defaults> defaults;
  private final TypedMethod<RenamedRecord, RenamedRecord> renamed;
  private final TypedMethod<Object, Object> any;
  private final TypedMethod<double[], double[]> doubles;
  private final TypedMethod<Map<String, Person>, Map<String, Person>> map;
  private final TypedMethod<Person, Person> maybe;
  private final TypedMethod<Tuple3<Integer, String, Boolean>, Tuple3<Integer, String, Boolean>>
      tuple;
  private final TypedMethod<Duration, Duration> duration;
  private final TypedMethod<Instant, Instant> timestamp;
  private final TypedMethod<String, Long> length;
  private final TypedMethod<PagePerson, Person> oldest;
  private final TypedMethod<Shape, Double> area;
  private final TypedMethod<PartParameters, String> part;
  private final TypedMethod<
          SeveralParameters, Tuple6<Person, List<String>, double[], Color, byte[], Object>>
      several;
  private final TypedMethod<CutParameters, Tuple2<Piece, byte[]>> cut;
  private final TypedMethod<CutLaterParameters, Tuple2<Piece, byte[]>> cutLater;
  private final TypedMethod<byte[], String> hex;
  private final TypedMethod<byte[], String> hexLater;
  private final TypedMethod<String, byte[]> unhex;
  private final TypedMethod<byte[], Long> nonzero;
  private final TypedMethod<Void, byte[]> magic;
  private final TypedMethod<AgedParameters, Person> aged;
  private final TypedMethod<StepsParameters, Long> steps;
  private final TypedMethod<Person, Person> later;
  private final TypedMethod<SearchParameters, Person> search;
  private final TypedMethod<SearchLaterParameters, Person> searchLater;
  private final TypedMethod<PaintParameters, Color> paint;
  private final TypedMethod<Boolean, Void> power;
  private final TypedMethod<Repeat, Person> repeat;
  private final TypedSending<Long, Person, PagePerson> collect;
  private final TypedSending<BetweenParameters, Person, List<Person>> between;
  private final TypedSending<Void, Shape, Shape> reshape;
  private final TypedMethod<Long, Counter> counter;
  private final TypedMethod<long[], Counters> counters;
  private final TypedMethod<TransferParameters, Tuple2<Long, Long>> transfer;
  private final TypedMethod<Counters, Long> total;
  private final TypedMethod<Random, byte[]> random;
  private final TypedMethod<Void, List<String>> echoes;
  private final TypedMethod<AsJsonParameters, String> asJson;
  private final TypedMethod<AsMessageParameters, byte[]> asMessage;
  private final TypedMethod<String, Person> ask;
  private final TypedMethod<String, Person> askLater;
  private final TypedMethod<Void, Long> askCount;
  private final TypedMethod<List<Person>, Map<String, Long>> askAges;
  final TypedMethod<Long, Long> counter__add;
  final TypedMethod<Long, Long> counter__addLater;
  final TypedMethod<Void, Long> counter__half;
  final TypedMethod<CounterWithinParameters, Boolean> counter__within;
  final TypedMethod<Void, Long> counter__get;
  final TypedMethod<Counter, Long> counter__absorb;
  final TypedMethod<Long, Long> counter__upto;
  final TypedSending<Void, Person, Long> counter__admit;

  private Types(Plugin plugin, boolean owned) {
    super(plugin, owned);
    this.every =
        method(
            "every",
            "ca824bfa182bedb60ba5827fb6308d6e",
            CONTRACT,
            TypesCodec::writeEvery,
            TypesCodec::readEvery);
    this.numbers =
        method(
            "numbers",
            "4c00d487d36e0c59a73b8f6f78292929",
            CONTRACT,
            TypesCodec::writeNumbers,
            TypesCodec::readNumbers);
    this.texts =
        method(
            "texts",
            "f88372bd7465d1c1c7d58abd1ba2fc5c",
            CONTRACT,
            TypesCodec::writeTexts,
            TypesCodec::readTexts);
    this.times =
        method(
            "times",
            "759fab40f0cf85db3f027917f24af2a3",
            CONTRACT,
            TypesCodec::writeTimes,
            TypesCodec::readTimes);
    this.lists =
        method(
            "lists",
            "e19f0e80f700832db2772a6cebd4c2f9",
            CONTRACT,
            TypesCodec::writeLists,
            TypesCodec::readLists);
    this.pairs =
        method(
            "pairs",
            "18381038fd3cc6739c4df9d0db6d3a7d",
            CONTRACT,
            TypesCodec::writePairs,
            TypesCodec::readPairs);
    this.person =
        method(
            "person",
            "bf3ed839822e0baaebc306432086a7e1",
            CONTRACT,
            TypesCodec::writePerson,
            TypesCodec::readPerson);
    this.people =
        method(
            "people",
            "f14e879221aba66dd32dea1fdcfa3fb5",
            CONTRACT,
            TypesCodec::writePagePerson,
            TypesCodec::readPagePerson);
    this.shape =
        method(
            "shape",
            "7dd99669087d218bd07d831ce8f12470",
            CONTRACT,
            TypesCodec::writeShape,
            TypesCodec::readShape);
    this.color =
        method(
            "color",
            "41b0fa431237ac990a79a870076aaf7c",
            CONTRACT,
            TypesCodec::writeColor,
            TypesCodec::readColor);
    this.mood =
        method(
            "mood",
            "c7593193ffab90a84e3ba13d65bed81c",
            CONTRACT,
            TypesCodec::writeMood,
            TypesCodec::readMood);
    this.events =
        method(
            "events",
            "d65898177d1e2e1c69ffb73dff3d77c5",
            CONTRACT,
            TypesCodec::writeListOfEvent,
            TypesCodec::readListOfEvent);
    this.tagged =
        method(
            "tagged",
            "d183e5861f8334a67d13ead1ac5a65ee",
            CONTRACT,
            TypesCodec::writeTagged,
            TypesCodec::readTagged);
    this.untagged =
        method(
            "untagged",
            "718a4fb1dd49ba198222d869932671e5",
            CONTRACT,
            TypesCodec::writeUntagged,
            TypesCodec::readUntagged);
    this.expr =
        method(
            "expr",
            "2acb38bc4a1b629a4f7e7c75e5c6e069",
            CONTRACT,
            TypesCodec::writeExpr,
            TypesCodec::readExpr);
    this.tree =
        method(
            "tree",
            "1b32e93a62fd0d6845338c23d026910b",
            CONTRACT,
            TypesCodec::writeTree,
            TypesCodec::readTree);
    this.samples =
        method(
            "samples",
            "d32918079018f2eb6cbcb959e09e2f43",
            CONTRACT,
            TypesCodec::writeSamples,
            TypesCodec::readSamples);
    this.point =
        method(
            "point",
            "d3685ef2581bf9f8d96fec9587f3b77d",
            CONTRACT,
            TypesCodec::writePoint,
            TypesCodec::readPoint);
    this.celsius =
        method(
            "celsius",
            "bbb0e9b3fd7d5e6c0b909b89a85f4205",
            CONTRACT,
            TypesCodec::writeCelsius,
            TypesCodec::readCelsius);
    this.foreign =
        method(
            "foreign",
            "56e4cbbe19262184ba148eac03db284a",
            CONTRACT,
            TypesCodec::writeForeign,
            TypesCodec::readForeign);
    this.bounded =
        method(
            "bounded",
            "7c6bbada5d2a999a2d983e79286f5088",
            CONTRACT,
            TypesCodec::writeBounded,
            TypesCodec::readBounded);
    this.unit =
        method(
            "unit",
            "efe1320e7176f8cf27172bff57e25aff",
            CONTRACT,
            TypesCodec::writeUnit,
            TypesCodec::readUnit);
    this.defaults =
        method(
            "defaults",
            "66282979899cf160bb6e43954fc52c0f",
            CONTRACT,
            TypesCodec::writeDefaults,
            TypesCodec::readDefaults);
    this.renamed =
        method(
            "renamed",
            "cd7a190ba7eaee824e01233294ed8356",
            CONTRACT,
            TypesCodec::writeRenamedRecord,
            TypesCodec::readRenamedRecord);
    this.any =
        method(
            "any",
            "e116563f03bc7feddab9216a0bc693c1",
            CONTRACT,
            (out, value) -> out.any(value, "request"),
            in -> in.any());
    this.doubles =
        method(
            "doubles",
            "d44b8782b9348016131b260d1783fb49",
            CONTRACT,
            (out, value) -> out.f64s(value),
            in -> in.f64s());
    this.map =
        method(
            "map",
            "bd80e829cf3e3e21e657d21ed56285e0",
            CONTRACT,
            (out, value) -> TypesCodec.writeMapOfStringToPerson(out, value, "request"),
            TypesCodec::readMapOfStringToPerson);
    this.maybe =
        method(
            "maybe",
            "e55140d6969ffe47e3a827a8c8f5ce45",
            CONTRACT,
            TypesCodec::writeOptionOfPerson,
            TypesCodec::readOptionOfPerson);
    this.tuple =
        method(
            "tuple",
            "593596a45d2ec29ab4f2a45d17290d83",
            CONTRACT,
            (out, value) ->
                TypesCodec.writeTupleOfU8AndStringAndOptionOfBool(out, value, "request"),
            TypesCodec::readTupleOfU8AndStringAndOptionOfBool);
    this.duration =
        method(
            "duration",
            "5b51c10a63ab70b8f53e1fee16d44cf8",
            CONTRACT,
            (out, value) -> out.duration(value, "request"),
            in -> in.duration());
    this.timestamp =
        method(
            "timestamp",
            "da29a74c3d7ce4896a3f7ee7e36078cd",
            CONTRACT,
            (out, value) -> out.timestamp(value),
            in -> in.timestamp());
    this.length =
        method(
            "length",
            "29a4c753bb3d9001ad03363342f2e79e",
            CONTRACT,
            (out, value) -> out.string(value, "request"),
            in -> in.i64());
    this.oldest =
        method(
            "oldest",
            "27736f54a864a27897c6d5ebb84f2e69",
            CONTRACT,
            TypesCodec::writePagePerson,
            TypesCodec::readOptionOfPerson);
    this.area =
        method(
            "area",
            "10fa9364fd14754d19ec9cfc884b1aee",
            CONTRACT,
            TypesCodec::writeShape,
            in -> in.f64());
    this.part =
        method(
            "part",
            "49b2a515f36339c8aeefffe631da8210",
            CONTRACT,
            TypesCodec::writePartParameters,
            in -> in.string());
    this.several =
        method(
            "several",
            "2c711d105bbe29f023c874e10eb3de37",
            CONTRACT,
            TypesCodec::writeSeveralParameters,
            TypesCodec::readTupleOfPersonAndListOfStringAndListOfF64AndColorAndBytesAndOptionOfAny);
    this.cut =
        method(
            "cut",
            "f109d30b882069b16d0bb09ae313168b",
            CONTRACT,
            TypesCodec::writeCutParameters,
            TypesCodec::readTupleOfPieceAndBytes);
    this.cutLater =
        method(
            "cut_later",
            "f109d30b882069b16d0bb09ae313168b",
            CONTRACT,
            TypesCodec::writeCutLaterParameters,
            TypesCodec::readTupleOfPieceAndBytes);
    this.hex =
        method(
            "hex",
            "10cb7552ba6e2ec516f8450ac1f6a7a5",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.restString());
    this.hexLater =
        method(
            "hex_later",
            "10cb7552ba6e2ec516f8450ac1f6a7a5",
            CONTRACT,
            (out, value) -> out.bytes(value, value.length, "request"),
            in -> in.restString());
    this.unhex =
        method(
            "unhex",
            "dd541130f82a84c26844095adfda7f83",
            CONTRACT,
            (out, value) -> out.rawString(value, "request"),
            in -> in.rest());
    this.nonzero =
        method(
            "nonzero",
            "e9b43b29874d38f68f29d0a28f57d5bf",
            CONTRACT,
            (out, value) -> out.bytes(value),
            in -> in.i64());
    this.magic =
        method(
            "magic",
            "aaee54f20060ca765edf811e8ff746d2",
            CONTRACT,
            (out, value) -> {},
            in -> in.rest());
    this.aged =
        method(
            "aged",
            "d96d8c5aa18abd34800b0a70277f1ae2",
            CONTRACT,
            TypesCodec::writeAgedParameters,
            TypesCodec::readPerson);
    this.steps =
        method(
            "steps",
            "1b06f93494936b12245b3525a5416d28",
            CONTRACT,
            TypesCodec::writeStepsParameters,
            in -> in.i64());
    this.later =
        method(
            "later",
            "bf3ed839822e0baaebc306432086a7e1",
            CONTRACT,
            TypesCodec::writePerson,
            TypesCodec::readPerson);
    this.search =
        method(
            "search",
            "377cf8857cffb751b1732bbeb1aeff0f",
            CONTRACT,
            TypesCodec::writeSearchParameters,
            TypesCodec::readPerson,
            SearchException::read);
    this.searchLater =
        method(
            "search_later",
            "377cf8857cffb751b1732bbeb1aeff0f",
            CONTRACT,
            TypesCodec::writeSearchLaterParameters,
            TypesCodec::readPerson,
            SearchException::read);
    this.paint =
        method(
            "paint",
            "25003722c2e6315d90b231f2ef4a2cc4",
            CONTRACT,
            TypesCodec::writePaintParameters,
            TypesCodec::readColor,
            RefusedException::read);
    this.power =
        method(
            "power",
            "71c789d18f4d57dd20031e0341cc4e32",
            CONTRACT,
            (out, value) -> out.bool(value),
            in -> null,
            PowerException::read);
    this.repeat =
        method(
            "repeat",
            "5d483719156dbc996277632b762e9e80",
            CONTRACT,
            TypesCodec::writeRepeat,
            TypesCodec::readPerson);
    this.collect =
        sending(
            "collect",
            "9ecb7e607fb9abcc14f7aaceebb02e7d",
            CONTRACT,
            (out, value) -> out.i64(value),
            TypesCodec::writePerson,
            TypesCodec::readPagePerson);
    this.between =
        sending(
            "between",
            "a12f06887f3b47a6ce5e6834928668cb",
            CONTRACT,
            TypesCodec::writeBetweenParameters,
            TypesCodec::writePerson,
            TypesCodec::readListOfPerson);
    this.reshape =
        sending(
            "reshape",
            "ae31d0880dfdf7df69b6bc48314151a2",
            CONTRACT,
            (out, value) -> {},
            TypesCodec::writeShape,
            TypesCodec::readShape);
    this.counter =
        method(
            "counter",
            "ec165d6c610f39aed01abe986f716064",
            CONTRACT,
            (out, value) -> out.i64(value),
            TypesCodec::readCounter);
    this.counters =
        method(
            "counters",
            "0c9a8d1e116aa5d0e6d14e357b9752e9",
            CONTRACT,
            (out, value) -> out.i64s(value),
            TypesCodec::readCounters);
    this.transfer =
        method(
            "transfer",
            "eb6c227ff27443abe958f364eab77261",
            CONTRACT,
            TypesCodec::writeTransferParameters,
            TypesCodec::readTupleOfI64AndI64);
    this.total =
        method(
            "total",
            "f2acd3684f438c86832c55e8e71f58bc",
            CONTRACT,
            TypesCodec::writeCounters,
            in -> in.i64());
    this.random =
        method(
            "random",
            "ccb9b9bd0e5b808e3d420a428a74d812",
            CONTRACT,
            TypesCodec::writeRandom,
            in -> in.bytes());
    this.echoes =
        method(
            "echoes",
            "c41bde01320ce5cd4796aa1e16c9a8d1",
            CONTRACT,
            (out, value) -> {},
            TypesCodec::readListOfString);
    this.asJson =
        method(
            "as_json",
            "28b4afe73c3e42654fdae474fcc8d1ef",
            CONTRACT,
            TypesCodec::writeAsJsonParameters,
            TypesCodec::readOptionOfString);
    this.asMessage =
        method(
            "as_message",
            "a631c2c1bd71fff75d95c1c158d6a176",
            CONTRACT,
            TypesCodec::writeAsMessageParameters,
            in -> in.bytes());
    this.ask =
        method(
            "ask",
            "9886e54c7f570a55f5e6a4bfb4215684",
            CONTRACT,
            (out, value) -> out.string(value, "request"),
            TypesCodec::readOptionOfPerson);
    this.askLater =
        method(
            "ask_later",
            "cde246a1db3f86a4b1b380d84fb0d082",
            CONTRACT,
            (out, value) -> out.string(value, "request"),
            TypesCodec::readPerson);
    this.askCount =
        method(
            "ask_count",
            "63b26b9256268d2492d152d819049261",
            CONTRACT,
            (out, value) -> {},
            in -> in.i64());
    this.askAges =
        method(
            "ask_ages",
            "b83cfeffed46a49b7a9b78755f51cd1c",
            CONTRACT,
            TypesCodec::writeListOfPerson,
            TypesCodec::readMapOfStringToU32);
    this.counter__add =
        objectMethod(
            "Counter.add",
            "570fd8a0f9600afe5dc59cb60cafc18c",
            CONTRACT,
            (out, value) -> out.i64(value),
            in -> in.i64());
    this.counter__addLater =
        objectMethod(
            "Counter.add_later",
            "570fd8a0f9600afe5dc59cb60cafc18c",
            CONTRACT,
            (out, value) -> out.i64(value),
            in -> in.i64());
    this.counter__half =
        objectMethod(
            "Counter.half",
            "34231d9746f76ea5b3c09c28aa21b1cd",
            CONTRACT,
            (out, value) -> {},
            in -> in.i64(),
            OddException::read);
    this.counter__within =
        objectMethod(
            "Counter.within",
            "e3728e4d27cafb7e29610055d6936f17",
            CONTRACT,
            TypesCodec::writeCounterWithinParameters,
            in -> in.bool());
    this.counter__get =
        objectMethod(
            "Counter.get",
            "0623d9bd222f675fe8a051ce992515af",
            CONTRACT,
            (out, value) -> {},
            in -> in.i64());
    this.counter__absorb =
        objectMethod(
            "Counter.absorb",
            "fa16e2261cd04f529e96258df45a24a3",
            CONTRACT,
            (out, value) -> out.object(value, "request"),
            in -> in.i64());
    this.counter__upto =
        objectMethod(
            "Counter.upto",
            "6f4048bc7dae2eeaf52f29717bb4eb05",
            CONTRACT,
            (out, value) -> out.i64(value),
            in -> in.i64());
    this.counter__admit =
        objectSending(
            "Counter.admit",
            "685f995b1f52ce252fe62469410e15da",
            CONTRACT,
            (out, value) -> {},
            TypesCodec::writePerson,
            in -> in.i64());
  }

  /**
   * Calls an instance of the plugin, which goes on to belong to the caller.
   *
   * @param plugin the instance
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if the plugin's types are others than those that
   *     this was written from
   */
  public static Types of(Plugin plugin) {
    return new Types(plugin, false);
  }

  /**
   * Loads the plugin. It's closed with the client.
   *
   * @param library the plugin's library
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if it can't be loaded, or the plugin's types are
   *     others than those that this was written from
   */
  public static Types load(Path library) {
    return load(library, PluginConfig.defaults());
  }

  /**
   * Loads the plugin. It's closed with the client.
   *
   * @param library the plugin's library
   * @param config the plugin's configuration, and what the host wants of the instance
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if it can't be loaded, or the plugin's types are
   *     others than those that this was written from
   */
  public static Types load(Path library, PluginConfig config) {
    return loaded(library, config, plugin -> new Types(plugin, true));
  }

  /**
   * Loads the plugin. It's closed with the client.
   *
   * @param library the plugin's library
   * @param config the plugin's configuration, and what the host wants of the instance
   * @param directory what answers when the plugin asks {@code directory}; null if nothing does
   * @param ages what answers when the plugin asks {@code ages}; null if nothing does
   * @return a client of it
   * @throws io.github.rustbridge.PluginException if it can't be loaded, or the plugin's types are
   *     others than those that this was written from
   */
  public static Types load(Path library, PluginConfig config, Directory directory, Ages ages) {
    return loaded(library, serving(config, directory, ages), plugin -> new Types(plugin, true));
  }

  private static PluginConfig serving(PluginConfig config, Directory directory, Ages ages) {
    TypedServices services = new TypedServices(config, CONTRACT);
    if (directory != null) {
      services.add(
          "directory.find",
          in -> in.string(),
          TypesCodec::writeOptionOfPerson,
          directory::findAsync);
      services.add(
          "directory.fetch", in -> in.string(), TypesCodec::writePerson, directory::fetchAsync);
      services.add(
          "directory.count",
          in -> null,
          (out, value) -> out.i64(value),
          none -> directory.countAsync());
    }
    if (ages != null) {
      services.add(
          "ages.of",
          TypesCodec::readListOfPerson,
          (out, value) -> TypesCodec.writeMapOfStringToU32(out, value, "response"),
          ages::ofAsync);
    }
    return services.config();
  }

  /**
   * One of each.
   *
   * @param request the request
   * @return the response
   */
  public Every every(Every request) {
    return this.every.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * One of each.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Every every(Every request, CallOptions options) {
    return this.every.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Numbers numbers(Numbers request) {
    return this.numbers.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Numbers numbers(Numbers request, CallOptions options) {
    return this.numbers.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Texts texts(Texts request) {
    return this.texts.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Texts texts(Texts request, CallOptions options) {
    return this.texts.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Times times(Times request) {
    return this.times.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Times times(Times request, CallOptions options) {
    return this.times.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Lists lists(Lists request) {
    return this.lists.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Lists lists(Lists request, CallOptions options) {
    return this.lists.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Pairs pairs(Pairs request) {
    return this.pairs.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Pairs pairs(Pairs request, CallOptions options) {
    return this.pairs.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Person person(Person request) {
    return this.person.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Person person(Person request, CallOptions options) {
    return this.person.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public PagePerson people(PagePerson request) {
    return this.people.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public PagePerson people(PagePerson request, CallOptions options) {
    return this.people.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Shape shape(Shape request) {
    return this.shape.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Shape shape(Shape request, CallOptions options) {
    return this.shape.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Color color(Color request) {
    return this.color.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Color color(Color request, CallOptions options) {
    return this.color.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Mood mood(Mood request) {
    return this.mood.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Mood mood(Mood request, CallOptions options) {
    return this.mood.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public List<Event> events(List<Event> request) {
    return this.events.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public List<Event> events(List<Event> request, CallOptions options) {
    return this.events.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Tagged tagged(Tagged request) {
    return this.tagged.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Tagged tagged(Tagged request, CallOptions options) {
    return this.tagged.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Untagged untagged(Untagged request) {
    return this.untagged.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Untagged untagged(Untagged request, CallOptions options) {
    return this.untagged.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Expr expr(Expr request) {
    return this.expr.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Expr expr(Expr request, CallOptions options) {
    return this.expr.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Tree tree(Tree request) {
    return this.tree.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Tree tree(Tree request, CallOptions options) {
    return this.tree.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Samples samples(Samples request) {
    return this.samples.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Samples samples(Samples request, CallOptions options) {
    return this.samples.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Point point(Point request) {
    return this.point.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Point point(Point request, CallOptions options) {
    return this.point.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Celsius celsius(Celsius request) {
    return this.celsius.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Celsius celsius(Celsius request, CallOptions options) {
    return this.celsius.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Foreign foreign(Foreign request) {
    return this.foreign.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Foreign foreign(Foreign request, CallOptions options) {
    return this.foreign.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * What is checked when it's read.
   *
   * @param request the request
   * @return the response
   */
  public Bounded bounded(Bounded request) {
    return this.bounded.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * What is checked when it's read.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Bounded bounded(Bounded request, CallOptions options) {
    return this.bounded.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Unit unit(Unit request) {
    return this.unit.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Unit unit(Unit request, CallOptions options) {
    return this.unit.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Defaults defaults(Defaults request) {
    return this.defaults.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Defaults defaults(Defaults request, CallOptions options) {
    return this.defaults.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public RenamedRecord renamed(RenamedRecord request) {
    return this.renamed.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public RenamedRecord renamed(RenamedRecord request, CallOptions options) {
    return this.renamed.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * A value that says itself what it is.
   *
   * @param request the request
   * @return the response
   */
  public Object any(Object request) {
    return this.any.call(request);
  }

  /**
   * A value that says itself what it is.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Object any(Object request, CallOptions options) {
    return this.any.call(request, options);
  }

  /**
   * A list that is one copy.
   *
   * @param request the request
   * @return the response
   */
  public double[] doubles(double[] request) {
    return this.doubles.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * A list that is one copy.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public double[] doubles(double[] request, CallOptions options) {
    return this.doubles.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Map<String, Person> map(Map<String, Person> request) {
    return this.map.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Map<String, Person> map(Map<String, Person> request, CallOptions options) {
    return this.map.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Somebody, perhaps.
   *
   * @param request the request, or null
   * @return the response, or null
   */
  public Person maybe(Person request) {
    return this.maybe.call(request);
  }

  /**
   * Somebody, perhaps.
   *
   * @param request the request, or null
   * @param options what the call carries besides
   * @return the response, or null
   */
  public Person maybe(Person request, CallOptions options) {
    return this.maybe.call(request, options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Tuple3<Integer, String, Boolean> tuple(Tuple3<Integer, String, Boolean> request) {
    return this.tuple.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Tuple3<Integer, String, Boolean> tuple(
      Tuple3<Integer, String, Boolean> request, CallOptions options) {
    return this.tuple.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Duration duration(Duration request) {
    return this.duration.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Duration duration(Duration request, CallOptions options) {
    return this.duration.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @return the response
   */
  public Instant timestamp(Instant request) {
    return this.timestamp.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Instant timestamp(Instant request, CallOptions options) {
    return this.timestamp.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * How many characters a text has.
   *
   * @param request the request
   * @return the response; its bits are those of a number without a sign
   */
  public long length(String request) {
    return this.length.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * How many characters a text has.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response; its bits are those of a number without a sign
   */
  public long length(String request, CallOptions options) {
    return this.length.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Who is the oldest of them.
   *
   * @param request the request
   * @return the response, or null
   */
  public Person oldest(PagePerson request) {
    return this.oldest.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Who is the oldest of them.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, or null
   */
  public Person oldest(PagePerson request, CallOptions options) {
    return this.oldest.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The area of a shape.
   *
   * @param request the request
   * @return the response
   */
  public double area(Shape request) {
    return this.area.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * The area of a shape.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public double area(Shape request, CallOptions options) {
    return this.area.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * A part of a text: `count` of its characters, from the one at `start`; all that are left if it's
   * none.
   *
   * @param text {@code text}
   * @param start {@code start}
   * @param count or null
   * @return the response
   */
  public String part(String text, long start, Long count) {
    return this.part.call(new PartParameters(text, start, count));
  }

  /**
   * A part of a text: `count` of its characters, from the one at `start`; all that are left if it's
   * none.
   *
   * @param text {@code text}
   * @param start {@code start}
   * @param count or null
   * @param options what the call carries besides
   * @return the response
   */
  public String part(String text, long start, Long count, CallOptions options) {
    return this.part.call(new PartParameters(text, start, count), options);
  }

  /**
   * Gives back what it gets one by one and lent, under names of every kind.
   *
   * @param person {@code person}
   * @param nickNames {@code nickNames}
   * @param numbers {@code numbers}
   * @param type {@code type}
   * @param class_ {@code class_}
   * @param self or null
   * @return the response
   */
  public Tuple6<Person, List<String>, double[], Color, byte[], Object> several(
      Person person,
      List<String> nickNames,
      double[] numbers,
      Color type,
      byte[] class_,
      Object self) {
    return this.several.call(new SeveralParameters(person, nickNames, numbers, type, class_, self));
  }

  /**
   * Gives back what it gets one by one and lent, under names of every kind.
   *
   * @param person {@code person}
   * @param nickNames {@code nickNames}
   * @param numbers {@code numbers}
   * @param type {@code type}
   * @param class_ {@code class_}
   * @param self or null
   * @param options what the call carries besides
   * @return the response
   */
  public Tuple6<Person, List<String>, double[], Color, byte[], Object> several(
      Person person,
      List<String> nickNames,
      double[] numbers,
      Color type,
      byte[] class_,
      Object self,
      CallOptions options) {
    return this.several.call(
        new SeveralParameters(person, nickNames, numbers, type, class_, self), options);
  }

  /**
   * Bytes beside what is to be done with them, and beside what is said of them.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @return the response
   */
  public Tuple2<Piece, byte[]> cut(Cut how, byte[] data) {
    return this.cut.call(new CutParameters(how, data));
  }

  /**
   * Bytes beside what is to be done with them, and beside what is said of them.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @param options what the call carries besides
   * @return the response
   */
  public Tuple2<Piece, byte[]> cut(Cut how, byte[] data, CallOptions options) {
    return this.cut.call(new CutParameters(how, data), options);
  }

  /**
   * The same, from an `async fn`.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @return the response
   */
  public Tuple2<Piece, byte[]> cutLater(Cut how, byte[] data) {
    return this.cutLater.call(new CutLaterParameters(how, data));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @param options what the call carries besides
   * @return the response
   */
  public Tuple2<Piece, byte[]> cutLater(Cut how, byte[] data, CallOptions options) {
    return this.cutLater.call(new CutLaterParameters(how, data), options);
  }

  /**
   * The bytes in hexadecimal digits: raw bytes for raw text.
   *
   * @param data the request
   * @return the response
   */
  public String hex(byte[] data) {
    return this.hex.call(Objects.requireNonNull(data, "data"));
  }

  /**
   * The bytes in hexadecimal digits: raw bytes for raw text.
   *
   * @param data the request
   * @param options what the call carries besides
   * @return the response
   */
  public String hex(byte[] data, CallOptions options) {
    return this.hex.call(Objects.requireNonNull(data, "data"), options);
  }

  /**
   * The same, from an `async fn`.
   *
   * @param data the request
   * @return the response
   */
  public String hexLater(byte[] data) {
    return this.hexLater.call(Objects.requireNonNull(data, "data"));
  }

  /**
   * The same, from an `async fn`.
   *
   * @param data the request
   * @param options what the call carries besides
   * @return the response
   */
  public String hexLater(byte[] data, CallOptions options) {
    return this.hexLater.call(Objects.requireNonNull(data, "data"), options);
  }

  /**
   * The bytes of hexadecimal digits: raw text for raw bytes.
   *
   * @param digits the request
   * @return the response
   */
  public byte[] unhex(String digits) {
    return this.unhex.call(Objects.requireNonNull(digits, "digits"));
  }

  /**
   * The bytes of hexadecimal digits: raw text for raw bytes.
   *
   * @param digits the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] unhex(String digits, CallOptions options) {
    return this.unhex.call(Objects.requireNonNull(digits, "digits"), options);
  }

  /**
   * How many bytes aren't zero: bytes for a number, which is no raw answer.
   *
   * @param data the request
   * @return the response; its bits are those of a number without a sign
   */
  public long nonzero(byte[] data) {
    return this.nonzero.call(Objects.requireNonNull(data, "data"));
  }

  /**
   * How many bytes aren't zero: bytes for a number, which is no raw answer.
   *
   * @param data the request
   * @param options what the call carries besides
   * @return the response; its bits are those of a number without a sign
   */
  public long nonzero(byte[] data, CallOptions options) {
    return this.nonzero.call(Objects.requireNonNull(data, "data"), options);
  }

  /**
   * The first bytes of a PNG: raw bytes for nothing.
   *
   * @return the response
   */
  public byte[] magic() {
    return this.magic.call(null);
  }

  /**
   * The first bytes of a PNG: raw bytes for nothing.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] magic(CallOptions options) {
    return this.magic.call(null, options);
  }

  /**
   * Somebody older, from an `async fn`.
   *
   * @param person {@code person}
   * @param years {@code years}
   * @return the response
   */
  public Person aged(Person person, long years) {
    return this.aged.call(new AgedParameters(person, years));
  }

  /**
   * Somebody older, from an `async fn`.
   *
   * @param person {@code person}
   * @param years {@code years}
   * @param options what the call carries besides
   * @return the response
   */
  public Person aged(Person person, long years, CallOptions options) {
    return this.aged.call(new AgedParameters(person, years), options);
  }

  /**
   * The numbers from the first up to before the last, each so much more than the one before.
   *
   * @param first {@code first}
   * @param last {@code last}
   * @param step {@code step}
   * @return the items, to be closed
   */
  public Items<Long> steps(long first, long last, long step) {
    return this.steps.iterate(new StepsParameters(first, last, step), CallOptions.defaults());
  }

  /**
   * The numbers from the first up to before the last, each so much more than the one before.
   *
   * @param first {@code first}
   * @param last {@code last}
   * @param step {@code step}
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public Items<Long> steps(long first, long last, long step, CallOptions options) {
    return this.steps.iterate(new StepsParameters(first, last, step), options);
  }

  /**
   * Gives back what it gets, from an `async fn`.
   *
   * @param request the request
   * @return the response
   */
  public Person later(Person request) {
    return this.later.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * Gives back what it gets, from an `async fn`.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Person later(Person request, CallOptions options) {
    return this.later.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Who is called so. A name that is empty is hidden.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @return the response
   * @throws SearchException if it fails with {@code SearchError}
   */
  public Person search(String name, List<Person> people) {
    return this.search.call(new SearchParameters(name, people));
  }

  /**
   * Who is called so. A name that is empty is hidden.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @param options what the call carries besides
   * @return the response
   * @throws SearchException if it fails with {@code SearchError}
   */
  public Person search(String name, List<Person> people, CallOptions options) {
    return this.search.call(new SearchParameters(name, people), options);
  }

  /**
   * Who is called so, from an `async fn`.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @return the response
   * @throws SearchException if it fails with {@code SearchError}
   */
  public Person searchLater(String name, List<Person> people) {
    return this.searchLater.call(new SearchLaterParameters(name, people));
  }

  /**
   * Who is called so, from an `async fn`.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @param options what the call carries besides
   * @return the response
   * @throws SearchException if it fails with {@code SearchError}
   */
  public Person searchLater(String name, List<Person> people, CallOptions options) {
    return this.searchLater.call(new SearchLaterParameters(name, people), options);
  }

  /**
   * Takes no red.
   *
   * @param color {@code color}
   * @param better or null
   * @return the response
   * @throws RefusedException if it fails with {@code Refused}
   */
  public Color paint(Color color, Color better) {
    return this.paint.call(new PaintParameters(color, better));
  }

  /**
   * Takes no red.
   *
   * @param color {@code color}
   * @param better or null
   * @param options what the call carries besides
   * @return the response
   * @throws RefusedException if it fails with {@code Refused}
   */
  public Color paint(Color color, Color better, CallOptions options) {
    return this.paint.call(new PaintParameters(color, better), options);
  }

  /**
   * Does nothing where there's power.
   *
   * @param request the request
   * @throws PowerException if it fails with {@code PowerError}
   */
  public void power(boolean request) {
    this.power.call(request);
  }

  /**
   * Does nothing where there's power.
   *
   * @param request the request
   * @param options what the call carries besides
   * @throws PowerException if it fails with {@code PowerError}
   */
  public void power(boolean request, CallOptions options) {
    this.power.call(request, options);
  }

  /**
   * Somebody again and again, each time a year older.
   *
   * @param request the request
   * @return the items, to be closed
   */
  public Items<Person> repeat(Repeat request) {
    return this.repeat.iterate(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * Somebody again and again, each time a year older.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public Items<Person> repeat(Repeat request, CallOptions options) {
    return this.repeat.iterate(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @return the items, to be closed
   */
  public Items<Shape> reshape(Iterable<? extends Shape> items) {
    return this.reshape.iterate(null, items, CallOptions.defaults());
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public Items<Shape> reshape(Iterable<? extends Shape> items, CallOptions options) {
    return this.reshape.iterate(null, items, options);
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @return the items, to be closed
   */
  public Items<Shape> reshape(Flow.Publisher<? extends Shape> items) {
    return this.reshape.iterate(null, items, CallOptions.defaults());
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return the items, to be closed
   */
  public Items<Shape> reshape(Flow.Publisher<? extends Shape> items, CallOptions options) {
    return this.reshape.iterate(null, items, options);
  }

  /**
   * A counter that begins there.
   *
   * @param start the request
   * @return the object, to be closed
   */
  public Counter counter(long start) {
    return this.counter.call(start, CallOptions.defaults());
  }

  /**
   * A counter that begins there.
   *
   * @param start the request
   * @param options what the call carries besides
   * @return the object, to be closed
   */
  public Counter counter(long start, CallOptions options) {
    return this.counter.call(start, options);
  }

  /**
   * Counters in a message: the first begins there, and the others at what follows.
   *
   * @param request the request
   * @return the response
   */
  public Counters counters(long[] request) {
    return this.counters.call(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * Counters in a message: the first begins there, and the others at what follows.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public Counters counters(long[] request, CallOptions options) {
    return this.counters.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Takes from one counter what it adds to another, and gives what both have then.
   *
   * @param from {@code from}
   * @param to {@code to}
   * @param count {@code count}
   * @return the response
   */
  public Tuple2<Long, Long> transfer(Counter from, Counter to, long count) {
    return this.transfer.call(new TransferParameters(from, to, count), CallOptions.defaults());
  }

  /**
   * Takes from one counter what it adds to another, and gives what both have then.
   *
   * @param from {@code from}
   * @param to {@code to}
   * @param count {@code count}
   * @param options what the call carries besides
   * @return the response
   */
  public Tuple2<Long, Long> transfer(Counter from, Counter to, long count, CallOptions options) {
    return this.transfer.call(new TransferParameters(from, to, count), options);
  }

  /**
   * What counters have counted in all.
   *
   * @param request the request
   * @return the response
   */
  public long total(Counters request) {
    return this.total.call(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * What counters have counted in all.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public long total(Counters request, CallOptions options) {
    return this.total.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The message of a random value, as bytes: what the method of that name takes and gives.
   *
   * @param request the request
   * @return the response
   */
  public byte[] random(Random request) {
    return this.random.call(Objects.requireNonNull(request, "request"));
  }

  /**
   * The message of a random value, as bytes: what the method of that name takes and gives.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] random(Random request, CallOptions options) {
    return this.random.call(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * The methods that give back what they get, of which there are random values.
   *
   * @return the response
   */
  public List<String> echoes() {
    return this.echoes.call(null);
  }

  /**
   * The methods that give back what they get, of which there are random values.
   *
   * @param options what the call carries besides
   * @return the response
   */
  public List<String> echoes(CallOptions options) {
    return this.echoes.call(null, options);
  }

  /**
   * A message of what the method of that name takes and gives, as JSON. None if JSON has no form
   * for it.
   *
   * @param method {@code method}
   * @param message {@code message}
   * @return the response, or null
   */
  public String asJson(String method, byte[] message) {
    return this.asJson.call(new AsJsonParameters(method, message));
  }

  /**
   * A message of what the method of that name takes and gives, as JSON. None if JSON has no form
   * for it.
   *
   * @param method {@code method}
   * @param message {@code message}
   * @param options what the call carries besides
   * @return the response, or null
   */
  public String asJson(String method, byte[] message, CallOptions options) {
    return this.asJson.call(new AsJsonParameters(method, message), options);
  }

  /**
   * The message of what is JSON of what the method of that name takes and gives.
   *
   * @param method {@code method}
   * @param json {@code json}
   * @return the response
   */
  public byte[] asMessage(String method, String json) {
    return this.asMessage.call(new AsMessageParameters(method, json));
  }

  /**
   * The message of what is JSON of what the method of that name takes and gives.
   *
   * @param method {@code method}
   * @param json {@code json}
   * @param options what the call carries besides
   * @return the response
   */
  public byte[] asMessage(String method, String json, CallOptions options) {
    return this.asMessage.call(new AsMessageParameters(method, json), options);
  }

  /**
   * Asks the host's directory for somebody.
   *
   * @param name the request
   * @return the response, or null
   */
  public Person ask(String name) {
    return this.ask.call(Objects.requireNonNull(name, "name"));
  }

  /**
   * Asks the host's directory for somebody.
   *
   * @param name the request
   * @param options what the call carries besides
   * @return the response, or null
   */
  public Person ask(String name, CallOptions options) {
    return this.ask.call(Objects.requireNonNull(name, "name"), options);
  }

  /**
   * The same, from an `async fn` that waits for the host without a thread.
   *
   * @param name the request
   * @return the response
   */
  public Person askLater(String name) {
    return this.askLater.call(Objects.requireNonNull(name, "name"));
  }

  /**
   * The same, from an `async fn` that waits for the host without a thread.
   *
   * @param name the request
   * @param options what the call carries besides
   * @return the response
   */
  public Person askLater(String name, CallOptions options) {
    return this.askLater.call(Objects.requireNonNull(name, "name"), options);
  }

  /**
   * How many there are in the host's directory.
   *
   * @return the response; its bits are those of a number without a sign
   */
  public long askCount() {
    return this.askCount.call(null);
  }

  /**
   * How many there are in the host's directory.
   *
   * @param options what the call carries besides
   * @return the response; its bits are those of a number without a sign
   */
  public long askCount(CallOptions options) {
    return this.askCount.call(null, options);
  }

  /**
   * Has the host say how old people are, each by name.
   *
   * @param people the request
   * @return the response
   */
  public Map<String, Long> askAges(List<Person> people) {
    return this.askAges.call(Objects.requireNonNull(people, "people"));
  }

  /**
   * Has the host say how old people are, each by name.
   *
   * @param people the request
   * @param options what the call carries besides
   * @return the response
   */
  public Map<String, Long> askAges(List<Person> people, CallOptions options) {
    return this.askAges.call(Objects.requireNonNull(people, "people"), options);
  }

  /**
   * The same, from an `async fn`.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @return the response, when it's there
   */
  public CompletableFuture<Tuple2<Piece, byte[]>> cutLaterAsync(Cut how, byte[] data) {
    return this.cutLater.callAsync(new CutLaterParameters(how, data), CallOptions.defaults());
  }

  /**
   * The same, from an `async fn`.
   *
   * @param how {@code how}
   * @param data {@code data}
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Tuple2<Piece, byte[]>> cutLaterAsync(
      Cut how, byte[] data, CallOptions options) {
    return this.cutLater.callAsync(new CutLaterParameters(how, data), options);
  }

  /**
   * The same, from an `async fn`.
   *
   * @param data the request
   * @return the response, when it's there
   */
  public CompletableFuture<String> hexLaterAsync(byte[] data) {
    return this.hexLater.callAsync(Objects.requireNonNull(data, "data"), CallOptions.defaults());
  }

  /**
   * The same, from an `async fn`.
   *
   * @param data the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<String> hexLaterAsync(byte[] data, CallOptions options) {
    return this.hexLater.callAsync(Objects.requireNonNull(data, "data"), options);
  }

  /**
   * Somebody older, from an `async fn`.
   *
   * @param person {@code person}
   * @param years {@code years}
   * @return the response, when it's there
   */
  public CompletableFuture<Person> agedAsync(Person person, long years) {
    return this.aged.callAsync(new AgedParameters(person, years), CallOptions.defaults());
  }

  /**
   * Somebody older, from an `async fn`.
   *
   * @param person {@code person}
   * @param years {@code years}
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Person> agedAsync(Person person, long years, CallOptions options) {
    return this.aged.callAsync(new AgedParameters(person, years), options);
  }

  /**
   * The numbers from the first up to before the last, each so much more than the one before.
   *
   * @param first {@code first}
   * @param last {@code last}
   * @param step {@code step}
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Long> stepsPublisher(long first, long last, long step) {
    return this.steps.publish(new StepsParameters(first, last, step), CallOptions.defaults());
  }

  /**
   * The numbers from the first up to before the last, each so much more than the one before.
   *
   * @param first {@code first}
   * @param last {@code last}
   * @param step {@code step}
   * @param options what the call carries besides
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Long> stepsPublisher(
      long first, long last, long step, CallOptions options) {
    return this.steps.publish(new StepsParameters(first, last, step), options);
  }

  /**
   * Gives back what it gets, from an `async fn`.
   *
   * @param request the request
   * @return the response, when it's there
   */
  public CompletableFuture<Person> laterAsync(Person request) {
    return this.later.callAsync(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * Gives back what it gets, from an `async fn`.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Person> laterAsync(Person request, CallOptions options) {
    return this.later.callAsync(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Who is called so, from an `async fn`.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @return the response, when it's there
   */
  public CompletableFuture<Person> searchLaterAsync(String name, List<Person> people) {
    return this.searchLater.callAsync(
        new SearchLaterParameters(name, people), CallOptions.defaults());
  }

  /**
   * Who is called so, from an `async fn`.
   *
   * @param name {@code name}
   * @param people {@code people}
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Person> searchLaterAsync(
      String name, List<Person> people, CallOptions options) {
    return this.searchLater.callAsync(new SearchLaterParameters(name, people), options);
  }

  /**
   * Somebody again and again, each time a year older.
   *
   * @param request the request
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Person> repeatPublisher(Repeat request) {
    return this.repeat.publish(Objects.requireNonNull(request, "request"), CallOptions.defaults());
  }

  /**
   * Somebody again and again, each time a year older.
   *
   * @param request the request
   * @param options what the call carries besides
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Person> repeatPublisher(Repeat request, CallOptions options) {
    return this.repeat.publish(Objects.requireNonNull(request, "request"), options);
  }

  /**
   * Those who are sent, with how many there are together with those before.
   *
   * @param before the request; its bits are those of a number without a sign
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<PagePerson> collectAsync(long before, Iterable<? extends Person> items) {
    return this.collect.callAsync(before, items, CallOptions.defaults());
  }

  /**
   * Those who are sent, with how many there are together with those before.
   *
   * @param before the request; its bits are those of a number without a sign
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<PagePerson> collectAsync(
      long before, Iterable<? extends Person> items, CallOptions options) {
    return this.collect.callAsync(before, items, options);
  }

  /**
   * Those who are sent, with how many there are together with those before.
   *
   * @param before the request; its bits are those of a number without a sign
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<PagePerson> collectAsync(
      long before, Flow.Publisher<? extends Person> items) {
    return this.collect.callAsync(before, items, CallOptions.defaults());
  }

  /**
   * Those who are sent, with how many there are together with those before.
   *
   * @param before the request; its bits are those of a number without a sign
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<PagePerson> collectAsync(
      long before, Flow.Publisher<? extends Person> items, CallOptions options) {
    return this.collect.callAsync(before, items, options);
  }

  /**
   * Those who are sent and are between the two ages, both included.
   *
   * @param youngest {@code youngest}
   * @param oldest {@code oldest}
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<List<Person>> betweenAsync(
      long youngest, long oldest, Iterable<? extends Person> items) {
    return this.between.callAsync(
        new BetweenParameters(youngest, oldest), items, CallOptions.defaults());
  }

  /**
   * Those who are sent and are between the two ages, both included.
   *
   * @param youngest {@code youngest}
   * @param oldest {@code oldest}
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<List<Person>> betweenAsync(
      long youngest, long oldest, Iterable<? extends Person> items, CallOptions options) {
    return this.between.callAsync(new BetweenParameters(youngest, oldest), items, options);
  }

  /**
   * Those who are sent and are between the two ages, both included.
   *
   * @param youngest {@code youngest}
   * @param oldest {@code oldest}
   * @param items what is sent
   * @return the response, when it's there
   */
  public CompletableFuture<List<Person>> betweenAsync(
      long youngest, long oldest, Flow.Publisher<? extends Person> items) {
    return this.between.callAsync(
        new BetweenParameters(youngest, oldest), items, CallOptions.defaults());
  }

  /**
   * Those who are sent and are between the two ages, both included.
   *
   * @param youngest {@code youngest}
   * @param oldest {@code oldest}
   * @param items what is sent
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<List<Person>> betweenAsync(
      long youngest, long oldest, Flow.Publisher<? extends Person> items, CallOptions options) {
    return this.between.callAsync(new BetweenParameters(youngest, oldest), items, options);
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Shape> reshapePublisher(Iterable<? extends Shape> items) {
    return this.reshape.publish(null, items, CallOptions.defaults());
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Shape> reshapePublisher(
      Iterable<? extends Shape> items, CallOptions options) {
    return this.reshape.publish(null, items, options);
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Shape> reshapePublisher(Flow.Publisher<? extends Shape> items) {
    return this.reshape.publish(null, items, CallOptions.defaults());
  }

  /**
   * Sends back each shape that it's sent.
   *
   * @param items what is sent
   * @param options what the call carries besides
   * @return what publishes the items, by a call for each subscriber
   */
  public Flow.Publisher<Shape> reshapePublisher(
      Flow.Publisher<? extends Shape> items, CallOptions options) {
    return this.reshape.publish(null, items, options);
  }

  /**
   * The same, from an `async fn` that waits for the host without a thread.
   *
   * @param name the request
   * @return the response, when it's there
   */
  public CompletableFuture<Person> askLaterAsync(String name) {
    return this.askLater.callAsync(Objects.requireNonNull(name, "name"), CallOptions.defaults());
  }

  /**
   * The same, from an `async fn` that waits for the host without a thread.
   *
   * @param name the request
   * @param options what the call carries besides
   * @return the response, when it's there
   */
  public CompletableFuture<Person> askLaterAsync(String name, CallOptions options) {
    return this.askLater.callAsync(Objects.requireNonNull(name, "name"), options);
  }
}
