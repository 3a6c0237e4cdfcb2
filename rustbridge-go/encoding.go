package rustbridge

import (
	"encoding/json"
	"strconv"

	"github.com/rustbridge/rustbridge/rustbridge-go/internal/native"
)

// Encoding is how a method's request and response are laid out.
type Encoding uint32

// The encodings.
const (
	JSON        Encoding = 0
	Raw         Encoding = 1
	Pod         Encoding = 2
	MessagePack Encoding = 3
	Bincode     Encoding = 4
	Postcard    Encoding = 5
	// Wire is the typed form that generated clients speak.
	Wire Encoding = 6
	// Bytes stands for Raw if a method has it, or else Pod. For preparing only.
	Bytes = Encoding(native.EncodingBytes)
)

var encodingNames = [...]string{"json", "raw", "pod", "msgpack", "bincode", "postcard", "wire"}

// String gives the name as descriptions have it.
func (e Encoding) String() string {
	switch {
	case e == Bytes:
		return "bytes"
	case int(e) < len(encodingNames):
		return encodingNames[e]
	}
	return "encoding " + strconv.FormatUint(uint64(e), 10)
}

// Codec writes and reads the values of calls in JSON. It must not keep the bytes that it's given.
type Codec interface {
	Marshal(value any) ([]byte, error)
	Unmarshal(data []byte, to any) error
}

// StandardCodec is encoding/json.
type StandardCodec struct{}

// Marshal is json.Marshal.
func (StandardCodec) Marshal(value any) ([]byte, error) { return json.Marshal(value) }

// Unmarshal is json.Unmarshal.
func (StandardCodec) Unmarshal(data []byte, to any) error { return json.Unmarshal(data, to) }
