package wire

import (
	"encoding/json"
	"sync"
)

// ClientSchema is a client schema: the description from which a client was generated. It's compared with the plugin's
// types, and locates the field of a failure.
type ClientSchema struct {
	text string
	read func() description
}

// description is what of it leads to types: of each method and service the types of its sides, and the types with names.
type description struct {
	methods, services map[string]map[string]any
	types             []any
}

// NewClientSchema returns a client schema. The text is parsed only after a failure.
func NewClientSchema(text string) *ClientSchema {
	return &ClientSchema{text: text, read: sync.OnceValue(func() description { return describe(text) })}
}

// Text returns the description.
func (c *ClientSchema) Text() string { return c.text }

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

// Side is a message of a method or a service.
type Side struct {
	// Name is the name of the method or service.
	Name string
	// IsService reports whether it's a service's message.
	IsService bool
	// Which is "request", "response" or "items".
	Which string
}

// Locate finds the field at which a message failed, and stores its path in the failure. First is the path's first step,
// such as "items[3]". Message is the message that was written or read.
func (c *ClientSchema) Locate(failed *Error, side Side, first string, message []byte) {
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
