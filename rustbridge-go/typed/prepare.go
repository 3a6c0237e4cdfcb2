package typed

import (
	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// Preparation prepares the methods of a client. If a method doesn't match the plugin, Err returns the first error, and
// the client isn't created.
type Preparation struct {
	plugin       *rustbridge.Plugin
	clientSchema *wire.ClientSchema
	client       any
	err          error
}

// NewPreparation returns a preparation for an instance of the plugin. The client is for the objects of responses.
func NewPreparation(plugin *rustbridge.Plugin, clientSchema *wire.ClientSchema, client any) *Preparation {
	p := &Preparation{plugin: plugin, clientSchema: clientSchema, client: client}
	if plugin == nil {
		p.err = failure(rustbridge.InvalidArgument, "rustbridge.InvalidRequest", "the plugin is nil: load it first")
	}
	return p
}

// Err returns the first error, or nil.
func (p *Preparation) Err() error { return p.err }

// Prepare prepares a method, with the functions that encode its request and decode its response or each received item.
func Prepare[Q, R any](
	p *Preparation, name, fingerprint string, write func(*wire.Writer, Q), read func(*wire.Reader) R,
) *Method[Q, R] {
	m := &Method[Q, R]{name: name, clientSchema: p.clientSchema, client: p.client, write: write, read: read}
	if p.err == nil {
		m.method, p.err = p.plugin.MethodTyped(name, fingerprint, p.clientSchema.Text())
	}
	return m
}

// PrepareStreaming prepares a method that accepts a stream. It's Prepare with the function that encodes each sent item.
func PrepareStreaming[Q, I, R any](
	p *Preparation, name, fingerprint string, write func(*wire.Writer, Q), item func(*wire.Writer, I), read func(*wire.Reader) R,
) *StreamingMethod[Q, I, R] {
	return &StreamingMethod[Q, I, R]{Method: Prepare(p, name, fingerprint, write, read), item: item}
}
