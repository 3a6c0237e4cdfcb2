package types

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/typed"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

var (
	ada  = Person{Name: "Ada", Age: 36}
	alan = Person{Name: "Alan", Age: 41}
	eve  = Person{Name: "Eve", Age: 7}
)

func the[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestParametersAreTakenAndResultsGivenOneByOne(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	count := uint32(3)
	if part := the[string](t)(c.Part(ctx, "Grüße", 1, &count)); part != "rüß" {
		t.Error(part)
	}
	if part := the[string](t)(c.Part(ctx, "Grüße", 1, nil)); part != "rüße" {
		t.Error(part)
	}
	for _, cut := range []func(context.Context, Cut, []byte) (Piece, []byte, error){c.Cut, c.CutLater} {
		piece, data, err := cut(ctx, Cut{1, 2}, []byte("abc"))
		if err != nil || piece.Length != 4 || *piece.First != 'b' || string(data) != "bcbc" {
			t.Error(piece, data, err)
		}
	}
	var self any = map[string]any{"a": []any{int64(1), nil}}
	several := the[wire.Tuple6[Person, []string, []float64, Color, []byte, *any]](t)(
		c.Several(ctx, ada, []string{"A"}, []float64{1.5, 2.5}, ColorRed, []byte("data"), &self))
	if !reflect.DeepEqual(several.Item1, ada) || !reflect.DeepEqual(*several.Item6, self) || several.Item4.String() != "red" {
		t.Error(several)
	}
}

func TestAnErrorOfATypeIsFoundByErrorsAs(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	for _, search := range []func(context.Context, string, []Person) (Person, error){c.Search, c.SearchLater} {
		_, err := search(ctx, "Ann", []Person{ada, alan, eve})
		var failed *SearchFailure
		if !errors.As(err, &failed) || !reflect.DeepEqual(failed.Reason, SearchErrorNobody{"Ann", []Person{ada, alan}}) {
			t.Fatal(err)
		}
		var cause *rustbridge.Error
		if !errors.Is(err, rustbridge.NotFound) || !errors.As(err, &cause) || cause.Type != "SearchError.Nobody" || cause.Message != `nobody is called "Ann"` {
			t.Fatal(err, cause)
		}
		if found := the[Person](t)(search(ctx, "Eve", []Person{ada, eve})); !reflect.DeepEqual(found, eve) {
			t.Fatal(found)
		}
	}
	_, err := c.Search(ctx, "Ada", []Person{ada, eve, ada})
	var crowd *SearchFailure
	if !errors.As(err, &crowd) || !reflect.DeepEqual(crowd.Reason, SearchErrorCrowd{2, []float64{36, 7, 36}}) {
		t.Fatal(err)
	}
	better := ColorGreen
	_, err = c.Paint(ctx, ColorRed, &better)
	var refused *RefusedFailure
	if !errors.As(err, &refused) || refused.Reason.Color != ColorRed || *refused.Reason.Better != ColorGreen {
		t.Fatal(err)
	}
	var power *PowerFailure
	if err := c.Power(ctx, false); !errors.As(err, &power) || power.Reason != PowerErrorOut {
		t.Fatal(err)
	}
}

func TestWhatCannotBeSentIsRefusedWithItsPath(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	deep := Expr(ExprNumber{1})
	for range 200 {
		deep = ExprNegated{deep}
	}
	for _, one := range []struct {
		call func() error
		code rustbridge.Code
		what string
	}{
		{func() error { _, err := c.Person(ctx, Person{Name: "\xff"}); return err }, rustbridge.InvalidArgument, "person: request.name: text isn't UTF-8"},
		{func() error { _, err := c.Shape(ctx, nil); return err }, rustbridge.InvalidArgument, "shape: request: nil isn't allowed here"},
		{func() error { _, err := c.Color(ctx, 3); return err }, rustbridge.InvalidArgument, "color: request: there's no variant 3"},
		{func() error { _, err := c.Duration(ctx, -1); return err }, rustbridge.InvalidArgument, "duration: request: a duration of zero or more is expected, not -1ns"},
		{func() error { _, err := c.Any(ctx, func() {}); return err }, rustbridge.InvalidArgument, "any: request: nil, a bool, a number, a string, a []byte, a []any or a map[string]any is expected, not a func()"},
		{func() error { _, err := c.Expr(ctx, deep); return err }, rustbridge.InvalidArgument, "the value is nested deeper than 128 levels"},
		{func() error { _, err := c.Total(ctx, Counters{Others: []*Counter{nil}}); return err }, rustbridge.InvalidArgument, "total: request.others[0]: nil"},
		{func() error { _, err := c.Aged(ctx, Person{Name: "\xff"}, 1); return err }, rustbridge.InvalidArgument, "aged: request.person.name: "},
	} {
		err := one.call()
		var failed *rustbridge.Error
		if !errors.Is(err, one.code) || !errors.As(err, &failed) || !strings.Contains(failed.Message, one.what) {
			t.Errorf("%q: %v", one.what, err)
		}
	}
}

func people(count uint32) iter.Seq[Person] {
	return func(yield func(Person) bool) {
		for number := range count {
			if !yield(Person{Name: "somebody", Age: number}) {
				return
			}
		}
	}
}

func collected[T any](t testing.TB, items iter.Seq2[T, error]) []T {
	t.Helper()
	var all []T
	for item, err := range items {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func TestStreamsAreSequences(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	if steps := collected(t, c.Steps(ctx, 0, 10, 3)); !slices.Equal(steps, []int64{0, 3, 6, 9}) {
		t.Error(steps)
	}
	repeated := collected(t, c.Repeat(ctx, Repeat{ada, 1000}))
	if len(repeated) != 1000 || repeated[999].Age != 36+999 {
		t.Error(len(repeated))
	}
	for person, err := range c.Repeat(ctx, Repeat{ada, 1000}) {
		if err != nil || person.Name != "Ada" {
			t.Error(person, err)
		}
		break
	}
	page := the[PagePerson](t)(c.Collect(ctx, 5, typed.Values(people(1000))))
	if len(page.Items) == 0 {
		t.Error(page)
	}
	between := the[[]Person](t)(c.Between(ctx, 3, 5, typed.Values(people(10))))
	if len(between) != 3 || between[0].Age != 3 {
		t.Error(between)
	}
	shapes := []Shape{ShapeNothing{}, ShapeCircle{2.5}, ShapePolygon{[]Point{{0, 1}, {2, 3}}}}
	reshaped := collected(t, c.Reshape(ctx, typed.Values(slices.Values(shapes))))
	if !reflect.DeepEqual(reshaped, shapes) {
		t.Error(reshaped)
	}
}

func TestWhatASequenceFailsWithIsTheCallsError(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	broken := errors.New("the source is dry")
	dry := func(yield func(Person, error) bool) {
		_ = yield(ada, nil) && yield(Person{}, broken)
	}
	if _, err := c.Collect(ctx, 5, dry); !errors.Is(err, broken) {
		t.Error(err)
	}
	wrong := []Person{ada, {Name: "\xff"}}
	_, err := c.Collect(ctx, 5, typed.Values(slices.Values(wrong)))
	if err == nil || !strings.Contains(err.Error(), "collect: items[1].name: text isn't UTF-8") {
		t.Error(err)
	}
	failed := false
	for _, err := range c.Reshape(ctx, typed.Values(slices.Values([]Shape{ShapeNothing{}, nil}))) {
		if err != nil {
			failed = true
			if !strings.Contains(err.Error(), "items[1]: nil isn't allowed here") {
				t.Error(err)
			}
		}
	}
	if !failed {
		t.Error("it isn't refused")
	}
}

func TestWhatASequencePanicsWithIsRaisedWhereItIsRangedOver(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	defer func() {
		if cause := recover(); cause != "mine" {
			t.Error(cause)
		}
	}()
	for _, err := range c.Reshape(ctx, func(func(Shape, error) bool) { panic("mine") }) {
		if err == nil {
			t.Error("an item came of nothing")
		}
	}
	t.Error("nobody panicked")
}

func TestObjectsHaveMethodsAndStandInMessages(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	counter := the[*Counter](t)(c.Counter(ctx, 40))
	if count := the[int64](t)(counter.Add(ctx, 2)); count != 42 {
		t.Error(count)
	}
	if count := the[int64](t)(counter.AddLater(ctx, 0)); count != 42 {
		t.Error(count)
	}
	if upto := collected(t, counter.Upto(ctx, 45)); !slices.Equal(upto, []int64{42, 43, 44}) {
		t.Error(upto)
	}
	if count := the[int64](t)(counter.Admit(ctx, typed.Values(people(3)))); count != 45 {
		t.Error(count)
	}
	_, err := counter.Half(ctx)
	var odd *OddFailure
	if !errors.As(err, &odd) || odd.Reason.Count != 45 {
		t.Error(err)
	}
	other := the[*Counter](t)(c.Counter(ctx, 5))
	if count := the[int64](t)(counter.Absorb(ctx, other)); count != 50 {
		t.Error(count)
	}
	if total := the[int64](t)(c.Total(ctx, Counters{counter, []*Counter{other, other}, ""})); total != 60 {
		t.Error(total)
	}
	counters := the[Counters](t)(c.Counters(ctx, []int64{1, 20, 300}))
	if total := the[int64](t)(c.Total(ctx, counters)); total != 321 || counters.First == nil {
		t.Error(total)
	}
	if from, to, err := c.Transfer(ctx, counter, other, 10); err != nil || from != 40 || to != 15 {
		t.Error(from, to, err)
	}
	if err := counter.Close(); err != nil {
		t.Error(err)
	}
	for range 2 {
		if _, err := counter.Get(ctx); err == nil {
			t.Error("a closed object is called")
		}
	}
	if _, err := c.Total(ctx, Counters{Others: []*Counter{counter}}); err == nil {
		t.Error("a closed object is lent")
	}
	elsewhere := the[*Counter](t)(load(t, Services{}).Counter(ctx, 1))
	if _, err := c.Total(ctx, Counters{First: elsewhere}); !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
}

// directory knows one.
type directory struct{}

func (directory) Find(_ context.Context, request string) (*Person, error) {
	if request == "Ada" {
		return &ada, nil
	}
	return nil, nil
}

func (directory) Fetch(_ context.Context, request string) (Person, error) {
	switch request {
	case "Ada":
		return ada, nil
	case "wrong":
		return Person{Name: "\xff"}, nil
	}
	return Person{}, &rustbridge.Error{Code: rustbridge.NotFound, Message: "nobody is " + request}
}

func (directory) Count(context.Context) (uint64, error) { return 1<<64 - 1, nil }

// ages counts years.
type ages struct{}

func (ages) Of(_ context.Context, request []Person) (map[string]uint32, error) {
	return maps.Collect(func(yield func(string, uint32) bool) {
		for _, person := range request {
			if !yield(person.Name, person.Age) {
				return
			}
		}
	}), nil
}

type userKey struct{}

var errLine = errors.New("the line is dead")

// asked notes what its functions see of their call.
type asked struct{ seen []any }

func (a *asked) note(ctx context.Context) {
	user, _ := rustbridge.MetadataOf(ctx).Get("user")
	_, hasDeadline := ctx.Deadline()
	a.seen = append(a.seen, ctx.Value(userKey{}), string(user), hasDeadline)
}

func (a *asked) Find(ctx context.Context, name string) (*Person, error) {
	a.note(ctx)
	return &Person{Name: name}, nil
}

func (a *asked) Fetch(ctx context.Context, name string) (Person, error) {
	a.note(ctx)
	if name == "" {
		return Person{}, errLine
	}
	return Person{Name: name}, nil
}

func (a *asked) Count(ctx context.Context) (uint64, error) {
	a.note(ctx)
	return 1, nil
}

func TestAServiceWithTypesSeesItsCall(t *testing.T) {
	service := &asked{}
	c := load(t, Services{Directory: service})
	metadata := rustbridge.Metadata{{Key: "user", Value: []byte("x")}}
	ctx := rustbridge.WithMetadata(context.WithValue(limited(t), userKey{}, "ada"), metadata)
	the[*Person](t)(c.Ask(ctx, "Ada"))
	the[Person](t)(c.AskLater(ctx, "Ada"))
	the[uint64](t)(c.AskCount(ctx))
	if expected := slices.Repeat([]any{"ada", "x", true}, 3); !slices.Equal(service.seen, expected) {
		t.Error(service.seen)
	}
	if _, err := c.AskLater(ctx, ""); !errors.Is(err, errLine) {
		t.Error("what the service returned isn't wrapped:", err)
	}
}

func TestANilPointerIsNoService(t *testing.T) {
	var none *asked
	_, err := Load(filepath.Join(folder(), "types_plugin"), nil, Services{Directory: none})
	if !errors.Is(err, rustbridge.InvalidArgument) || !strings.Contains(err.Error(), "the services `directory` are a nil value of the type *types.asked") {
		t.Error(err)
	}
	if err := typed.CheckServices("directory", nil); !errors.Is(err, rustbridge.InvalidArgument) {
		t.Error(err)
	}
	if err := typed.CheckServices("directory", directory{}); err != nil {
		t.Error(err)
	}
}

func TestThePluginAsksItsHost(t *testing.T) {
	c, ctx := load(t, Services{Directory: directory{}, Ages: ages{}}), limited(t)
	if found := the[*Person](t)(c.Ask(ctx, "Ada")); found == nil || !reflect.DeepEqual(*found, ada) {
		t.Error(found)
	}
	if found := the[*Person](t)(c.Ask(ctx, "Kurt")); found != nil {
		t.Error(found)
	}
	if found := the[Person](t)(c.AskLater(ctx, "Ada")); !reflect.DeepEqual(found, ada) {
		t.Error(found)
	}
	if _, err := c.AskLater(ctx, "Kurt"); !errors.Is(err, rustbridge.NotFound) {
		t.Error(err)
	}
	if _, err := c.AskLater(ctx, "wrong"); !errors.Is(err, rustbridge.Internal) || !strings.Contains(err.Error(), "directory.fetch: response.name: text isn't UTF-8") {
		t.Error(err)
	}
	if count := the[uint64](t)(c.AskCount(ctx)); count != 1<<64-1 {
		t.Error(count)
	}
	known := the[map[string]uint32](t)(c.AskAges(ctx, []Person{ada, eve}))
	if !maps.Equal(known, map[string]uint32{"Ada": 36, "Eve": 7}) {
		t.Error(known)
	}
	if _, err := load(t, Services{}).Ask(ctx, "Ada"); !errors.Is(err, rustbridge.NotFound) {
		t.Error(err)
	}
}

func TestCallsFromManyGoroutines(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	var all sync.WaitGroup
	for worker := range uint32(4 * runtime.GOMAXPROCS(0)) {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 200 {
				person := Person{Name: strings.Repeat("x", int(worker)), Age: worker}
				if got, err := c.Person(ctx, person); err != nil || !reflect.DeepEqual(got, person) {
					t.Error(got, err)
					return
				}
				if got, err := c.Later(ctx, Person{Name: "y", Age: worker}); err != nil || got.Age != worker {
					t.Error(got, err)
					return
				}
			}
		}()
	}
	all.Wait()
}

func TestAClosedClientIsRefused(t *testing.T) {
	c, err := Load(filepath.Join(folder(), "types_plugin"), nil, Services{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Person(limited(t), ada); err == nil {
		t.Error("a closed plugin is called")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := load(t, Services{}).Later(ctx, ada); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestBytesAndTextAloneGoAsTheyAre(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	large := bytes.Repeat([]byte{7}, 100_000)
	for _, data := range [][]byte{{0, 255}, {}, large} {
		digits, err := c.Hex(ctx, data)
		if err != nil || digits != hex.EncodeToString(data) {
			t.Error(digits, err)
		}
		back, err := c.Unhex(ctx, digits)
		if err != nil || !bytes.Equal(back, data) {
			t.Error(back, err)
		}
	}
	if count, err := c.Nonzero(ctx, []byte{0, 255}); err != nil || count != 1 {
		t.Error(count, err)
	}
	if magic, err := c.Magic(ctx); err != nil || string(magic) != "\x89PNG" {
		t.Error(magic, err)
	}
	if digits, err := c.HexLater(ctx, []byte{0, 255}); err != nil || digits != "00ff" {
		t.Error(digits, err)
	}
	for _, digits := range []string{"abc", "\xff"} {
		if _, err := c.Unhex(ctx, digits); !errors.Is(err, rustbridge.InvalidArgument) {
			t.Error(digits, err)
		}
	}
}

// jsonOf is a value of the plugin's as JSON, by the plugin; false if JSON has no form for it.
func jsonOf(t *testing.T, c *Types, method string, seed uint64) (message []byte, text string, has bool) {
	t.Helper()
	ctx := limited(t)
	message = the[[]byte](t)(c.Random(ctx, Random{Method: method, Seed: seed}))
	made := the[*string](t)(c.AsJson(ctx, method, message))
	if made == nil {
		return message, "", false
	}
	return message, *made, true
}

// withoutNulls leaves out what is absent, which Go's JSON doesn't mention.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inside := range v {
			if v[name] = withoutNulls(inside); v[name] == nil {
				delete(v, name)
			}
		}
	case []any:
		for place := range v {
			v[place] = withoutNulls(v[place])
		}
	}
	return v
}

func sameJSON[T any](t *testing.T, c *Types, method string, read func(*wire.Reader) T) {
	t.Helper()
	compared := 0
	for seed := range uint64(40) {
		message, text, has := jsonOf(t, c, method, seed)
		if !has {
			continue
		}
		compared++
		var r wire.Reader
		r.Reset(message, nil)
		written := the[[]byte](t)(json.Marshal(read(&r)))
		var own, plugins any
		if err := errors.Join(json.Unmarshal(written, &own), json.Unmarshal([]byte(text), &plugins)); err != nil {
			t.Fatal(err)
		}
		if own, plugins = withoutNulls(own), withoutNulls(plugins); !reflect.DeepEqual(own, plugins) {
			t.Errorf("%s: %s and %s", method, written, text)
		}
	}
	if compared == 0 {
		t.Error(method, "has no JSON")
	}
}

func TestJSONHasThePluginsNamesAndVariants(t *testing.T) {
	c := load(t, Services{})
	sameJSON(t, c, "person", readPerson)
	sameJSON(t, c, "shape", readShape)
	sameJSON(t, c, "tagged", readTagged)
	sameJSON(t, c, "untagged", readUntagged)
	sameJSON(t, c, "expr", readExpr)
	sameJSON(t, c, "color", readColor)
	var color Color
	if err := json.Unmarshal([]byte(`"green"`), &color); err != nil || color != ColorGreen {
		t.Error(color, err)
	}
	if err := json.Unmarshal([]byte(`"mauve"`), &color); err == nil {
		t.Error(color)
	}
}

func TestATypedErrorHasItsFieldsAsDetails(t *testing.T) {
	c, ctx := load(t, Services{}), limited(t)
	_, err := c.Search(ctx, "Ann", []Person{ada, alan, eve})
	var failed *rustbridge.Error
	if !errors.As(err, &failed) {
		t.Fatal(err)
	}
	var details struct {
		Name    string
		Similar []Person
	}
	if err := failed.DecodeDetails(&details); err != nil || details.Name != "Ann" || !reflect.DeepEqual(details.Similar, []Person{ada, alan}) {
		t.Error(string(failed.Details), err)
	}
}
