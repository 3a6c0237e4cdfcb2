using System.Collections.Generic;
using System.Text.Json.Serialization;

namespace RustBridge.Tests;

internal sealed record HelloConfig([property: JsonPropertyName("first_user")] uint FirstUser);

internal sealed record Echo([property: JsonPropertyName("message")] string Message);

internal sealed record Echoed(
    [property: JsonPropertyName("message")] string Message, [property: JsonPropertyName("length")] int Length);

internal sealed record LargeRequest(
    [property: JsonPropertyName("query_id")] string QueryId,
    [property: JsonPropertyName("filters")] IReadOnlyList<string> Filters,
    [property: JsonPropertyName("page_size")] int PageSize);

internal sealed record LargeResponse([property: JsonPropertyName("results")] IReadOnlyList<LargeResult> Results);

internal sealed record LargeResult([property: JsonPropertyName("id")] string Id);

[JsonSerializable(typeof(HelloConfig))]
[JsonSerializable(typeof(Echo))]
[JsonSerializable(typeof(Echoed))]
[JsonSerializable(typeof(LargeRequest))]
[JsonSerializable(typeof(LargeResponse))]
internal sealed partial class TestJson : JsonSerializerContext;
