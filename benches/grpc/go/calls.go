package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/rustbridge/rustbridge/benches/grpc/go/messages"
)

// An operation tells whether the answer was right. It looks at all of the answer only when it's told to check; otherwise at as much as
// a caller has to in order to use it.
type operation func(check bool) (bool, error)

type stub = messages.BenchClient

// A scenario of the catalogue.
type scenario struct {
	name string
	// Whether it's measured with client and server on one core, too: those with small messages.
	pinned bool
	make   func(stub) operation
}

// The scenario that is measured on several goroutines.
const threaded = "bench.small 76/80"

// All scenarios, in the catalogue's order.
var scenarios = []scenario{
	{"empty call", true, empty},
	{threaded, true, small},
	{"json echo 13 B", true, echo("Hello, World!")},
	{"A small echo", false, echo("hello world from benchmark")},
	{"A small greet", false, greet},
	{"A small math.add", false, add},
	{"M primitive", true, divide},
	{"M string join", true, join},
	{"M sum 1000", false, sum(1_000)},
	{"M sum 10000", false, sum(10_000)},
	{"M return 10000", false, numbers(10_000)},
	{"error, message read", true, fail},
	{"M any 100", false, dynamic(100)},
	{"M any 10000", false, dynamic(10_000)},
	{"get_answer", true, getAnswer},
	{"get_blob 1 KB", false, getBlob(1 << 10)},
	{"get_blob 64 KB", false, getBlob(1 << 16)},
	{"get_blob 1 MB", false, getBlob(1 << 20)},
	{"get_blob 16 MB", false, getBlob(1 << 24)},
	{"get_structs", false, getStructs},
	{"typed text", true, typedText},
	{"typed numbers", true, typedNumbers},
	{"typed 100 records", false, typedRecords},
	{"typed enum", true, typedEnum},
	{"typed 1000 doubles", false, typedDoubles},
}

var background = context.Background()

func empty(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.Void(background, &emptypb.Empty{})
		return answer != nil, err
	}
}

func small(client stub) operation {
	request := &messages.SmallRequest{Key: "bench_key", Flags: 1}
	return func(bool) (bool, error) {
		found, err := client.Small(background, request)
		return found.GetValue() == "value_for_bench_key" && found.GetTtlSeconds() == 3600 && found.GetCacheHit(), err
	}
}

func echo(message string) func(stub) operation {
	return func(client stub) operation {
		return func(bool) (bool, error) {
			echoed, err := client.Echo(background, &messages.EchoRequest{Message: message})
			return echoed.GetMessage() == message && int(echoed.GetLength()) == len(message), err
		}
	}
}

func greet(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.Greet(background, &messages.GreetRequest{Name: "BenchmarkUser"})
		return answer.GetGreeting() == "Hello, BenchmarkUser! Welcome to rustbridge.", err
	}
}

func add(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.Add(background, &messages.AddRequest{A: 123_456_789, B: 987_654_321})
		return answer.GetResult() == 1_111_111_110, err
	}
}

func divide(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.Div(background, &messages.DivRequest{A: 10, B: 2})
		return answer.GetQuotient() == 5, err
	}
}

func join(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.Join(background, &messages.JoinRequest{Parts: []string{"hello", "world"}})
		return answer.GetText() == "hello,world", err
	}
}

func upTo(count int64) []int64 {
	var numbers []int64
	for number := int64(1); number <= count; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

func sum(count int64) func(stub) operation {
	return func(client stub) operation {
		numbers := upTo(count)
		return func(bool) (bool, error) {
			answer, err := client.Sum(background, &messages.Integers{Values: numbers})
			return answer.GetSum() == count*(count+1)/2, err
		}
	}
}

func numbers(count int64) func(stub) operation {
	return func(client stub) operation {
		expected := upTo(count)
		return func(check bool) (bool, error) {
			answer, err := client.Numbers(background, &messages.NumbersRequest{Count: uint32(count)})
			values := answer.GetValues()
			right := len(values) == len(expected) && values[len(values)-1] == count
			return right && (!check || slices.Equal(values, expected)), err
		}
	}
}

func fail(client stub) operation {
	return func(bool) (bool, error) {
		_, err := client.Fail(background, &messages.FailRequest{Message: "Error"})
		failed, ok := status.FromError(err)
		return ok && failed.Code() == codes.Aborted && failed.Message() == "Error", nil
	}
}

// From the host's dynamic list to the message's values, and back to a new dynamic list.
func dynamic(count int) func(stub) operation {
	return func(client stub) operation {
		var list []any
		for len(list) < count {
			list = append(list, []any{int64(1), "two", 3.0}[len(list)%3])
		}
		return func(check bool) (bool, error) {
			request := &messages.Values{Values: make([]*messages.Value, 0, len(list))}
			for _, value := range list {
				message, err := toMessage(value)
				if err != nil {
					return false, err
				}
				request.Values = append(request.Values, message)
			}
			answer, err := client.Any(background, request)
			back := fromMessages(answer.GetValues())
			return len(back) == count && (!check || slices.Equal(back, list)), err
		}
	}
}

func toMessage(value any) (*messages.Value, error) {
	switch value := value.(type) {
	case nil:
		return &messages.Value{}, nil
	case bool:
		return &messages.Value{Kind: &messages.Value_Boolean{Boolean: value}}, nil
	case int64:
		return &messages.Value{Kind: &messages.Value_Integer{Integer: value}}, nil
	case float64:
		return &messages.Value{Kind: &messages.Value_Number{Number: value}}, nil
	case string:
		return &messages.Value{Kind: &messages.Value_Text{Text: value}}, nil
	case []any:
		list := &messages.Values{}
		for _, item := range value {
			message, err := toMessage(item)
			if err != nil {
				return nil, err
			}
			list.Values = append(list.Values, message)
		}
		return &messages.Value{Kind: &messages.Value_List{List: list}}, nil
	default:
		return nil, fmt.Errorf("%T has no message", value)
	}
}

func fromMessages(list []*messages.Value) []any {
	values := make([]any, 0, len(list))
	for _, message := range list {
		switch kind := message.GetKind().(type) {
		case *messages.Value_Boolean:
			values = append(values, kind.Boolean)
		case *messages.Value_Integer:
			values = append(values, kind.Integer)
		case *messages.Value_Number:
			values = append(values, kind.Number)
		case *messages.Value_Text:
			values = append(values, kind.Text)
		case *messages.Value_List:
			values = append(values, fromMessages(kind.List.GetValues()))
		default:
			values = append(values, nil)
		}
	}
	return values
}

func getAnswer(client stub) operation {
	return func(bool) (bool, error) {
		answer, err := client.GetAnswer(background, &messages.Answer{Value: 23})
		return answer.GetValue() == 64, err
	}
}

// The message's bytes are memory of the client's own already, as ours are after their copy.
func getBlob(size int) func(stub) operation {
	return func(client stub) operation {
		return func(check bool) (bool, error) {
			answer, err := client.GetBlob(background, &messages.BlobRequest{Size: uint32(size)})
			bytes := answer.GetBytes()
			right := len(bytes) == size
			for at := 0; check && right && at < size; at++ {
				right = int(bytes[at]) == at%251
			}
			return right, err
		}
	}
}

func typedText(client stub) operation {
	return func(bool) (bool, error) {
		greeting, err := client.GreetPerson(background, &messages.Person{Name: "Ada Lovelace"})
		return greeting.GetText() == "Hello, Ada Lovelace!", err
	}
}

func typedNumbers(client stub) operation {
	return func(bool) (bool, error) {
		reading := &messages.Reading{Instrument: 7, At: 1000, Low: -1, High: 3, Weight: 0.5, Count: 11}
		next, err := client.NextReading(background, reading)
		return next.GetAt() == 1060 && next.GetLow() == -3 && next.GetHigh() == 5 && next.GetCount() == 12, err
	}
}

func typedRecords(client stub) operation {
	type record struct {
		number uint32
		name   string
		price  float64
	}
	var records []record
	for number := uint32(1); number <= 100; number++ {
		records = append(records, record{number, fmt.Sprintf("item number %d", number), float64(number)})
	}
	same := func(item *messages.Item, record record) bool {
		half := 1.0
		if record.number%2 == 0 {
			half = 2
		}
		return item.GetName() == record.name && item.GetPrice() == record.price/half
	}
	return func(check bool) (bool, error) {
		request := &messages.Items{Items: make([]*messages.Item, 0, len(records))}
		for _, record := range records {
			item := &messages.Item{Number: record.number, Name: record.name, Price: record.price}
			request.Items = append(request.Items, item)
		}
		back, err := client.Discount(background, request)
		return len(back.GetItems()) == len(records) && (!check || slices.EqualFunc(back.GetItems(), records, same)), err
	}
}

func typedEnum(client stub) operation {
	return func(bool) (bool, error) {
		rectangle := &messages.Rectangle{Width: 3, Height: 4}
		around, err := client.Around(background, &messages.Shape{Kind: &messages.Shape_Rectangle{Rectangle: rectangle}})
		return around.GetCircle().GetRadius() == 2.5, err
	}
}

func typedDoubles(client stub) operation {
	var values, twice []float64
	for number := range 1000 {
		values = append(values, 0.5*float64(number))
		twice = append(twice, float64(number))
	}
	return func(check bool) (bool, error) {
		back, err := client.Twice(background, &messages.Doubles{Values: values})
		return len(back.GetValues()) == len(twice) && (!check || slices.Equal(back.GetValues(), twice)), err
	}
}

func getStructs(client stub) operation {
	return func(check bool) (bool, error) {
		answer, err := client.GetStructs(background, &emptypb.Empty{})
		if err != nil || !check {
			return len(answer.GetStudents()) == 34, err
		}
		if structs, texts, bytes := count(answer.GetStudents()); structs != 4_760 || texts != 46_410 || bytes != 1_618_298 {
			return false, errors.New("the students have changed")
		}
		return len(answer.GetStudents()) == 34, nil
	}
}

// Structs, strings and the strings' bytes.
func count(students []*messages.Student) (structs, texts, bytes int) {
	text := func(all ...string) {
		for _, one := range all {
			texts++
			bytes += len(one)
		}
	}
	address := func(address *messages.Address) {
		structs++
		text(address.GetCity(), address.GetStreet())
	}
	for _, student := range students {
		// The student and the date.
		structs += 2
		text(student.GetName())
		text(student.GetEmails()...)
		address(student.GetHome())
		address(student.GetBirth())
		for _, subject := range student.GetSubjects() {
			structs++
			text(subject.GetTitle(), subject.GetText())
		}
		for _, school := range student.GetSchools() {
			structs += 2
			text(school.GetName())
			text(school.GetEmails()...)
			address(school.GetAddress())
		}
	}
	return structs, texts, bytes
}
