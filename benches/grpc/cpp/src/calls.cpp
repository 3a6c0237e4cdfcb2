// The operations: each makes its request anew, calls, and looks at the answer.

#include "calls.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <variant>

using google::protobuf::Empty;
using namespace rustbridge::bench;

const char *const threaded = "bench.small 76/80";

namespace {

// A value that tells its own type. Lists hold more of them.
struct Dynamic {
  std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<Dynamic>> value;

  bool operator==(const Dynamic &) const = default;
};

// A call that has to succeed.
template <class Request, class Response>
Response asked(Bench::Stub &stub, grpc::Status (Bench::Stub::*method)(grpc::ClientContext *, const Request &, Response *),
               const Request &request) {
  grpc::ClientContext context;
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) {
    throw std::runtime_error(status.error_message());
  }
  return response;
}

Operation empty(const Stub &stub) {
  return [stub](bool) {
    asked(*stub, &Bench::Stub::Void, Empty());
    return true;
  };
}

Operation small(const Stub &stub) {
  SmallRequest request;
  request.set_key("bench_key");
  request.set_flags(1);
  return [stub, request](bool) {
    const SmallResponse found = asked(*stub, &Bench::Stub::Small, request);
    return found.value() == "value_for_bench_key" && found.ttl_seconds() == 3600 && found.cache_hit();
  };
}

auto echo(std::string_view message) {
  return [message](const Stub &stub) -> Operation {
    return [stub, message](bool) {
      EchoRequest request;
      request.set_message(message.data(), message.size());
      const EchoResponse echoed = asked(*stub, &Bench::Stub::Echo, request);
      return echoed.message() == message && echoed.length() == message.size();
    };
  };
}

Operation greet(const Stub &stub) {
  return [stub](bool) {
    GreetRequest request;
    request.set_name("BenchmarkUser");
    return asked(*stub, &Bench::Stub::Greet, request).greeting() == "Hello, BenchmarkUser! Welcome to rustbridge.";
  };
}

Operation add(const Stub &stub) {
  return [stub](bool) {
    AddRequest request;
    request.set_a(123'456'789);
    request.set_b(987'654'321);
    return asked(*stub, &Bench::Stub::Add, request).result() == 1'111'111'110;
  };
}

Operation divide(const Stub &stub) {
  return [stub](bool) {
    DivRequest request;
    request.set_a(10);
    request.set_b(2);
    return asked(*stub, &Bench::Stub::Div, request).quotient() == 5.0;
  };
}

Operation join(const Stub &stub) {
  return [stub](bool) {
    JoinRequest request;
    request.add_parts("hello");
    request.add_parts("world");
    return asked(*stub, &Bench::Stub::Join, request).text() == "hello,world";
  };
}

auto sum(std::int64_t count) {
  return [count](const Stub &stub) -> Operation {
    std::vector<std::int64_t> numbers;
    for (std::int64_t number = 1; number <= count; ++number) {
      numbers.push_back(number);
    }
    return [stub, numbers, count](bool) {
      Integers request;
      request.mutable_values()->Add(numbers.begin(), numbers.end());
      return asked(*stub, &Bench::Stub::Sum, request).sum() == count * (count + 1) / 2;
    };
  };
}

auto numbers(std::uint32_t count) {
  return [count](const Stub &stub) -> Operation {
    return [stub, count](bool check) {
      NumbersRequest request;
      request.set_count(count);
      const Integers answer = asked(*stub, &Bench::Stub::Numbers, request);
      const auto &values = answer.values();
      std::int64_t next = 1;
      const bool right = !check || std::all_of(values.begin(), values.end(), [&](std::int64_t value) { return value == next++; });
      return right && values.size() == static_cast<int>(count) && values.at(values.size() - 1) == count;
    };
  };
}

Operation fail(const Stub &stub) {
  return [stub](bool) {
    FailRequest request;
    request.set_message("Error");
    grpc::ClientContext context;
    Empty response;
    const grpc::Status status = stub->Fail(&context, request, &response);
    return status.error_code() == grpc::StatusCode::ABORTED && status.error_message() == "Error";
  };
}

void fill(Value &message, const Dynamic &dynamic) {
  std::visit(
      [&](const auto &value) {
        using Type = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Type, bool>) {
          message.set_boolean(value);
        } else if constexpr (std::is_same_v<Type, std::int64_t>) {
          message.set_integer(value);
        } else if constexpr (std::is_same_v<Type, double>) {
          message.set_number(value);
        } else if constexpr (std::is_same_v<Type, std::string>) {
          message.set_text(value);
        } else if constexpr (std::is_same_v<Type, std::vector<Dynamic>>) {
          for (const Dynamic &item : value) {
            fill(*message.mutable_list()->add_values(), item);
          }
        }
      },
      dynamic.value);
}

Dynamic from_message(const Value &message) {
  switch (message.kind_case()) {
  case Value::kBoolean:
    return {message.boolean()};
  case Value::kInteger:
    return {std::int64_t{message.integer()}};
  case Value::kNumber:
    return {message.number()};
  case Value::kText:
    return {message.text()};
  case Value::kList: {
    std::vector<Dynamic> list;
    for (const Value &item : message.list().values()) {
      list.push_back(from_message(item));
    }
    return {std::move(list)};
  }
  default:
    return {};
  }
}

// From the host's dynamic list to the message's values, and back to a new dynamic list.
auto any(std::size_t count) {
  return [count](const Stub &stub) -> Operation {
    std::vector<Dynamic> list;
    while (list.size() < count) {
      switch (list.size() % 3) {
      case 0:
        list.push_back({std::int64_t{1}});
        break;
      case 1:
        list.push_back({std::string("two")});
        break;
      default:
        list.push_back({3.0});
      }
    }
    return [stub, list](bool check) {
      Values request;
      for (const Dynamic &value : list) {
        fill(*request.add_values(), value);
      }
      const Values answer = asked(*stub, &Bench::Stub::Any, request);
      std::vector<Dynamic> back;
      back.reserve(static_cast<std::size_t>(answer.values_size()));
      for (const Value &value : answer.values()) {
        back.push_back(from_message(value));
      }
      return back.size() == list.size() && (!check || back == list);
    };
  };
}

Operation get_answer(const Stub &stub) {
  return [stub](bool) {
    Answer request;
    request.set_value(23);
    return asked(*stub, &Bench::Stub::GetAnswer, request).value() == 64;
  };
}

// The message's bytes are memory of the client's own already, as ours are after their copy.
auto get_blob(std::uint32_t size) {
  return [size](const Stub &stub) -> Operation {
    return [stub, size](bool check) {
      BlobRequest request;
      request.set_size(size);
      const Blob answer = asked(*stub, &Bench::Stub::GetBlob, request);
      const std::string &bytes = answer.bytes();
      std::size_t at = 0;
      const auto right = [&](char byte) { return static_cast<unsigned char>(byte) == at++ % 251; };
      return bytes.size() == size && (!check || std::all_of(bytes.begin(), bytes.end(), right));
    };
  };
}

// Structs, strings and the strings' characters.
struct Count {
  std::size_t structs = 0;
  std::size_t texts = 0;
  std::size_t characters = 0;

  void text(const std::string &text) {
    texts += 1;
    characters += text.size();
  }

  void address(const Address &address) {
    structs += 1;
    text(address.city());
    text(address.street());
  }

  template <class Texts> void all(const Texts &list) {
    for (const std::string &one : list) {
      text(one);
    }
  }

  void student(const Student &student) {
    // The student and the date.
    structs += 2;
    text(student.name());
    all(student.emails());
    address(student.home());
    address(student.birth());
    for (const Subject &subject : student.subjects()) {
      structs += 1;
      text(subject.title());
      text(subject.text());
    }
    for (const School &school : student.schools()) {
      structs += 2;
      text(school.name());
      all(school.emails());
      address(school.address());
    }
  }
};

Operation get_structs(const Stub &stub) {
  return [stub](bool check) {
    const Students answer = asked(*stub, &Bench::Stub::GetStructs, Empty());
    Count count;
    if (check) {
      for (const Student &student : answer.students()) {
        count.student(student);
      }
    }
    const bool right = count.structs == 4'760 && count.texts == 46'410 && count.characters == 1'618'298;
    return answer.students_size() == 34 && (!check || right);
  };
}

Operation typed_text(const Stub &stub) {
  return [stub](bool) {
    Person request;
    request.set_name("Ada Lovelace");
    return asked(*stub, &Bench::Stub::GreetPerson, request).text() == "Hello, Ada Lovelace!";
  };
}

Operation typed_numbers(const Stub &stub) {
  return [stub](bool) {
    Reading request;
    request.set_instrument(7);
    request.set_at(1000);
    request.set_low(-1.0);
    request.set_high(3.0);
    request.set_weight(0.5F);
    request.set_count(11);
    const Reading next = asked(*stub, &Bench::Stub::NextReading, request);
    return next.at() == 1060 && next.low() == -3.0 && next.high() == 5.0 && next.count() == 12;
  };
}

Operation typed_records(const Stub &stub) {
  struct Record {
    std::uint32_t number;
    std::string name;
    double price;
  };
  std::vector<Record> records;
  for (std::uint32_t number = 1; number <= 100; ++number) {
    records.push_back({number, "item number " + std::to_string(number), static_cast<double>(number)});
  }
  return [stub, records](bool check) {
    Items request;
    for (const Record &record : records) {
      Item &item = *request.add_items();
      item.set_number(record.number);
      item.set_name(record.name);
      item.set_price(record.price);
    }
    const Items back = asked(*stub, &Bench::Stub::Discount, request);
    const auto same = [](const Record &record, const Item &item) {
      return item.name() == record.name && item.price() == record.price / (record.number % 2 == 0 ? 2.0 : 1.0);
    };
    const auto &items = back.items();
    return items.size() == 100 && (!check || std::equal(records.begin(), records.end(), items.begin(), items.end(), same));
  };
}

Operation typed_enum(const Stub &stub) {
  return [stub](bool) {
    Shape request;
    request.mutable_rectangle()->set_width(3.0);
    request.mutable_rectangle()->set_height(4.0);
    const Shape around = asked(*stub, &Bench::Stub::Around, request);
    return around.has_circle() && around.circle().radius() == 2.5;
  };
}

Operation typed_doubles(const Stub &stub) {
  std::vector<double> values;
  for (int number = 0; number < 1000; ++number) {
    values.push_back(0.5 * number);
  }
  return [stub, values](bool check) {
    Doubles request;
    request.mutable_values()->Add(values.begin(), values.end());
    const Doubles twice = asked(*stub, &Bench::Stub::Twice, request);
    const auto same = [](double value, double doubled) { return doubled == 2.0 * value; };
    const auto &back = twice.values();
    return back.size() == 1000 && (!check || std::equal(values.begin(), values.end(), back.begin(), back.end(), same));
  };
}

} // namespace

std::vector<Scenario> scenarios() {
  return {
      {"empty call", true, empty},
      {threaded, true, small},
      {"json echo 13 B", true, echo("Hello, World!")},
      {"A small echo", false, echo("hello world from benchmark")},
      {"A small greet", false, greet},
      {"A small math.add", false, add},
      {"M primitive", true, divide},
      {"M string join", true, join},
      {"M sum 1000", false, sum(1'000)},
      {"M sum 10000", false, sum(10'000)},
      {"M return 10000", false, numbers(10'000)},
      {"error, message read", true, fail},
      {"M any 100", false, any(100)},
      {"M any 10000", false, any(10'000)},
      {"get_answer", true, get_answer},
      {"get_blob 1 KB", false, get_blob(1 << 10)},
      {"get_blob 64 KB", false, get_blob(1 << 16)},
      {"get_blob 1 MB", false, get_blob(1 << 20)},
      {"get_blob 16 MB", false, get_blob(1 << 24)},
      {"get_structs", false, get_structs},
      {"typed text", true, typed_text},
      {"typed numbers", true, typed_numbers},
      {"typed 100 records", false, typed_records},
      {"typed enum", true, typed_enum},
      {"typed 1000 doubles", false, typed_doubles},
  };
}
