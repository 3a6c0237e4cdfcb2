package rustbridge

import (
	"encoding/json"
	"strconv"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Encoding is the layout of a method's request and response.
type Encoding uint32

// The encodings.
const (
	JSON        Encoding = 0
	Raw         Encoding = 1
	Pod         Encoding = 2
	MessagePack Encoding = 3
	Bincode     Encoding = 4
	Postcard    Encoding = 5
	// Wire is the encoding of typed values, which generated clients use.
	Wire Encoding = 6
	// Bytes means Raw if a method has it, otherwise Pod. It's only for preparing methods.
	Bytes = Encoding(native.EncodingBytes)
)

var encodingNames = [...]string{"json", "raw", "pod", "msgpack", "bincode", "postcard", "wire"}

// String returns the encoding's name, as in descriptions.
func (e Encoding) String() string {
	switch {
	case e == Bytes:
		return "bytes"
	case int(e) < len(encodingNames):
		return encodingNames[e]
	}
	return "encoding " + strconv.FormatUint(uint64(e), 10)
}

// Codec encodes and decodes the values of calls as JSON. It must not keep the bytes that it receives.
type Codec interface {
	Marshal(value any) ([]byte, error)
	Unmarshal(data []byte, to any) error
}

// StandardCodec is the codec that uses encoding/json.
type StandardCodec struct{}

// Marshal calls json.Marshal.
func (StandardCodec) Marshal(value any) ([]byte, error) { return json.Marshal(value) }

// Unmarshal calls json.Unmarshal.
func (StandardCodec) Unmarshal(data []byte, to any) error { return json.Unmarshal(data, to) }
