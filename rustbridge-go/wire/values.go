package wire

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
)

// maxDecimal is the most characters of a decimal number.
const maxDecimal = 1000

// Decimal is a decimal number of any precision, as its text: digits, perhaps with a minus before them and a point between
// them. The zero value is 0. [math/big.Rat] and libraries' types read it.
type Decimal string

func (v Decimal) valid() bool {
	digits, has := 0, false
	for _, letter := range []byte(strings.TrimPrefix(string(v), "-")) {
		switch {
		case letter >= '0' && letter <= '9':
			digits++
		case letter == '.' && digits > 0 && !has:
			digits, has = 0, true
		default:
			return false
		}
	}
	return digits > 0 && len(v) <= maxDecimal
}

// UUID is the 16 bytes of a UUID, in the order of its text form. Other libraries' types of 16 bytes convert to it.
type UUID [16]byte

// ParseUUID parses the text form of a UUID: five groups of hexadecimal digits, separated by hyphens.
func ParseUUID(text string) (UUID, error) {
	var v UUID
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return v, fmt.Errorf("%q isn't a UUID: 8, 4, 4, 4 and 12 hexadecimal digits with hyphens between", text)
	}
	digits := text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	if _, err := hex.Decode(v[:], []byte(digits)); err != nil {
		return UUID{}, fmt.Errorf("%q isn't a UUID: %w", text, err)
	}
	return v, nil
}

// String returns the text form of a UUID.
func (v UUID) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
}

// MarshalText returns the text form of a UUID, for JSON.
func (v UUID) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText parses the text form of a UUID.
func (v *UUID) UnmarshalText(text []byte) (err error) {
	*v, err = ParseUUID(string(text))
	return err
}

// Uint128 is an unsigned number of 128 bits, in the layout of the wire format.
type Uint128 struct {
	Low, High uint64
}

// Int128 is a signed number of 128 bits in two's complement, in the layout of the wire format.
type Int128 struct {
	Low  uint64
	High int64
}

// Big returns the number as a big.Int.
func (v Uint128) Big() *big.Int {
	n := new(big.Int).Lsh(new(big.Int).SetUint64(v.High), 64)
	return n.Or(n, new(big.Int).SetUint64(v.Low))
}

// String returns the number in decimal digits.
func (v Uint128) String() string { return v.Big().String() }

// Uint128FromBig converts a big.Int. It returns false if the number is out of range.
func Uint128FromBig(n *big.Int) (Uint128, bool) {
	if n.Sign() < 0 || n.BitLen() > 128 {
		return Uint128{}, false
	}
	return Uint128{Low: low(n), High: low(new(big.Int).Rsh(n, 64))}, true
}

// Big returns the number as a big.Int.
func (v Int128) Big() *big.Int {
	n := new(big.Int).Lsh(big.NewInt(v.High), 64)
	return n.Add(n, new(big.Int).SetUint64(v.Low))
}

// String returns the number in decimal digits.
func (v Int128) String() string { return v.Big().String() }

// Int128FromBig converts a big.Int. It returns false if the number is out of range.
func Int128FromBig(n *big.Int) (Int128, bool) {
	high := new(big.Int).Rsh(n, 64)
	if !high.IsInt64() {
		return Int128{}, false
	}
	return Int128{Low: low(n), High: high.Int64()}, true
}

// low is the lowest 64 bits in two's complement.
func low(n *big.Int) uint64 {
	mask := new(big.Int).SetUint64(1<<64 - 1)
	return mask.And(mask, n).Uint64()
}
