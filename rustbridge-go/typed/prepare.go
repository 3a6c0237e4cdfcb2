package typed

import (
	"github.com/rustbridge/rustbridge/rustbridge-go"
	"github.com/rustbridge/rustbridge/rustbridge-go/wire"
)

// Preparation makes the methods of a client ready. The first that isn't as the client knows it is the reason why there's no client.
type Preparation struct {
	plugin   *rustbridge.Plugin
	contract *wire.Contract
	client   any
	err      error
}

// NewPreparation begins with an instance of the plugin. The client is for the objects of its answers.
func NewPreparation(plugin *rustbridge.Plugin, contract *wire.Contract, client any) *Preparation {
	p := &Preparation{plugin: plugin, contract: contract, client: client}
	if plugin == nil {
		p.err = failure(rustbridge.InvalidArgument, "rustbridge.InvalidRequest", "there's no plugin: it's nil")
	}
	return p
}

// Err is the first failure.
func (p *Preparation) Err() error { return p.err }

// Prepare makes a method ready: what writes its request, and what reads its response or each item that comes.
func Prepare[Q, R any](
	p *Preparation, name, fingerprint string, write func(*wire.Writer, Q), read func(*wire.Reader) R,
) *Method[Q, R] {
	m := &Method[Q, R]{name: name, contract: p.contract, client: p.client, write: write, read: read}
	if p.err == nil {
		m.method, p.err = p.plugin.MethodTyped(name, fingerprint, p.contract.Text())
	}
	return m
}

// PrepareSending is Prepare for a method that takes a stream: also what writes each item that is sent.
func PrepareSending[Q, I, R any](
	p *Preparation, name, fingerprint string, write func(*wire.Writer, Q), item func(*wire.Writer, I), read func(*wire.Reader) R,
) *Sending[Q, I, R] {
	return &Sending[Q, I, R]{Method: Prepare(p, name, fingerprint, write, read), item: item}
}
