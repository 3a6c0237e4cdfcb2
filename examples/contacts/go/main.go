// A host in Go that calls the contacts plugin through the client that `rustbridge gen -l go` has written.
//
// Usage: contacts PATH-OF-CONTACTS-PLUGIN
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"rustbridge.example/contacts/contacts"
)

var began = time.Now()

// tell prints a text as a line of JSON, with the time since the start of the program.
func tell(text string, values ...any) {
	line, err := json.Marshal(map[string]any{
		"host": "Go", "transport": "cgo", "happened": "typed", "text": fmt.Sprintf(text, values...),
		"at_ms": time.Since(began).Milliseconds(),
	})
	check(err)
	fmt.Println(string(line))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// way returns how a person is reached. The enum has a type for each variant.
func way(reached contacts.Reach) string {
	switch reached := reached.(type) {
	case contacts.ReachEmail:
		return "by mail to " + reached.Address
	case contacts.ReachPhone:
		return fmt.Sprintf("by phone, +%d %s", reached.Country, reached.Number)
	}
	return "not at all"
}

// homes is the service that the plugin calls.
type homes struct{}

func (homes) Home(_ context.Context, name string) (*contacts.Place, error) {
	if name != "Ada" {
		return nil, nil
	}
	return &contacts.Place{X: 3, Y: 4}, nil
}

func main() {
	if len(os.Args) != 2 {
		check(errors.New("usage: contacts PATH-OF-CONTACTS-PLUGIN"))
	}
	path, ctx := os.Args[1], context.Background()
	people, err := contacts.Load(path, nil, contacts.Services{Registry: homes{}})
	check(err)
	defer people.Close()

	age := uint32(36)
	ada := contacts.Contact{Name: "Ada", Reached: contacts.ReachEmail{Address: "ada@example.org"}, Tags: []string{"maths"}, Age: &age}
	_, err = people.Add(ctx, ada)
	check(err)
	phone := contacts.ReachPhone{Country: 49, Number: "9131"}
	_, err = people.Add(ctx, contacts.Contact{Name: "Emmy", Reached: phone, Tags: []string{"maths", "physics"}})
	check(err)
	count, err := people.Add(ctx, contacts.Contact{Name: "Kurt", Reached: contacts.ReachNowhere{}, Tags: []string{"maths"}})
	check(err)
	tell("%d people are kept", count)

	// AtMost is left out: it has its default value, 10.
	found, err := people.Find(ctx, contacts.Query{Tag: "maths"})
	check(err)
	for _, contact := range found {
		tell("%s is reached %s", contact.Name, way(contact.Reached))
	}

	renamed, err := people.Rename(ctx, "Emmy", "Emmy Noether")
	check(err)
	if renamed {
		tell("Emmy has a second name now")
	}

	// A callback: the plugin calls the function for each contact until it returns false.
	var met []string
	_, err = people.Visit(ctx, contacts.VisitorFunc(func(_ context.Context, contact contacts.Contact) (bool, error) {
		met = append(met, contact.Name)
		return contact.Name != "Emmy Noether", nil
	}))
	check(err)
	tell("the visitor has met %s", strings.Join(met, " and "))

	middle, err := people.Middle(ctx, []contacts.Place{{X: 0, Y: 0}, {X: 4, Y: 0}, {X: 2, Y: 3}})
	check(err)
	tell("the middle of three places is %v", middle)

	distance, err := people.Distance(ctx, "Ada", contacts.Place{})
	check(err)
	if distance != nil {
		tell("it's %v to Ada's home", *distance)
	}

	reached, err := people.Reach(ctx, ada)
	check(err)
	tell("%s", reached)
	_, err = people.Reach(ctx, contacts.Contact{Name: "Kurt", Reached: contacts.ReachNowhere{}})
	var failed *contacts.ReachFailure
	if errors.As(err, &failed) {
		if nowhere, is := failed.Reason.(contacts.ReachErrorNowhere); is {
			tell("%s isn't reached: %v", nowhere.Name, failed)
		}
	}
}
