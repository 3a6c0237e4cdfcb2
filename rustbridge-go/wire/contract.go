package wire

import (
	"encoding/json"
	"sync"
)

// Contract is the description that a client was written from. It's compared with the plugin, and says which field a failure is at.
type Contract struct {
	text string
	read func() description
}

// description is what of it leads to types: of each method and service the types of its sides, and the types with names.
type description struct {
	methods, services map[string]map[string]any
	types             []any
}

// NewContract keeps a description, as it's carried by a client. It's taken apart when something has failed.
func NewContract(text string) *Contract {
	return &Contract{text: text, read: sync.OnceValue(func() description { return describe(text) })}
}

// Text is the description.
func (c *Contract) Text() string { return c.text }

func describe(text string) description {
	type object = map[string]any
	var whole struct {
		Methods []struct {
			Name    string
			Entries []object
		}
		Services []object
		Types    []any
	}
	found := description{methods: map[string]object{}, services: map[string]object{}}
	if json.Unmarshal([]byte(text), &whole) != nil {
		// Then nothing is found in it: paths have their first step alone.
		return found
	}
	found.types = whole.Types
	for _, method := range whole.Methods {
		if len(method.Entries) > 0 {
			found.methods[method.Name] = method.Entries[0]
		}
	}
	for _, service := range whole.Services {
		if name, is := service["name"].(string); is {
			found.services[name] = service
		}
	}
	return found
}

// Side is what a message is: of a method or a service, and which of its messages.
type Side struct {
	// Name is the method's or the service's.
	Name string
	// IsService says that it's a service's.
	IsService bool
	// Which is "request", "response" or "items".
	Which string
}

// Locate works out at which field a message has failed, and keeps it in the failure as its path. First is the path's first step, such as
// "items[3]", and message what was written or read.
func (c *Contract) Locate(failed *Error, side Side, first string, message []byte) {
	failed.Path = first
	if failed.Kind == TooLarge || failed.At > len(message) {
		return
	}
	found := c.read()
	sides := found.methods
	if side.IsService {
		sides = found.services
	}
	described, is := sides[side.Name][side.Which].(map[string]any)
	if !is || described["type"] == nil {
		return
	}
	walk := walker{bytes: message[:failed.At], types: found.types, steps: []string{first}, record: -1}
	if isOne, _ := sides[side.Name]["arguments"].(bool); isOne && side.Which == "request" {
		// The record of a method's parameters is no value that anybody gives.
		walk.without = 1
	}
	if walk.value(described["type"]) {
		return
	}
	steps := walk.steps
	if failed.isRecord && walk.record >= 0 {
		steps = steps[:walk.record]
	}
	failed.Path = ""
	for _, step := range steps {
		failed.Path += step
	}
}
