package quiz

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// quantityOf turns a value of the engine or of an item into a Quantity. A
// string is read as an author types it: point decimal, whatever the learner's
// language. ok is false for anything that is no quantity.
func quantityOf(v any, spec AnswerSpec) (Quantity, bool) {
	switch v := v.(type) {
	case nil:
		return Quantity{None: true}, true
	case *big.Rat:
		return Quantity{Number: v}, v != nil
	case time.Duration:
		return Quantity{Number: big.NewRat(int64(v), int64(time.Millisecond))}, true
	case string:
		if spec.Type == "" || spec.Type == TypeText || spec.Type == TypeBoolean {
			return Quantity{}, false
		}
		q, err := parseQuantity(v, spec, Korean)
		return q, err == nil
	}
	rv := reflect.ValueOf(v)
	switch {
	case rv.CanInt():
		return Quantity{Number: new(big.Rat).SetInt64(rv.Int())}, true
	case rv.CanUint():
		return Quantity{Number: new(big.Rat).SetInt(new(big.Int).SetUint64(rv.Uint()))}, true
	case rv.CanFloat():
		r, ok := new(big.Rat).SetString(strconv.FormatFloat(rv.Float(), 'f', -1, 64))
		return Quantity{Number: r}, ok
	}
	return Quantity{}, false
}

// sameValue compares two values of engine or item. Numbers are equal by
// value whatever their Go type; text is compared exactly.
func sameValue(a, b any, spec AnswerSpec) bool {
	if la, ok := listOf(a); ok {
		lb, ok := listOf(b)
		if !ok || len(la) != len(lb) {
			return false
		}
		for i := range la {
			if !sameValue(la[i], lb[i], spec) {
				return false
			}
		}
		return true
	}
	if qa, ok := quantityOf(a, spec); ok {
		qb, ok := quantityOf(b, spec)
		return ok && qa.equal(qb)
	}
	ra, rb := reflect.ValueOf(a), reflect.ValueOf(b)
	if !ra.IsValid() || !rb.IsValid() || ra.Kind() != rb.Kind() {
		return false
	}
	switch ra.Kind() {
	case reflect.String:
		return ra.String() == rb.String()
	case reflect.Bool:
		return ra.Bool() == rb.Bool()
	}
	return false
}

// listOf reads any slice or array.
func listOf(v any) ([]any, bool) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || rv.Kind() != reflect.Slice && rv.Kind() != reflect.Array {
		return nil, false
	}
	out := make([]any, rv.Len())
	for i := range out {
		out[i] = rv.Index(i).Interface()
	}
	return out, true
}

// boolOf reads a boolean of any named type.
func boolOf(v any) (value, ok bool) {
	rv := reflect.ValueOf(v)
	if !rv.IsValid() || rv.Kind() != reflect.Bool {
		return false, false
	}
	return rv.Bool(), true
}

// showValue writes a value as it is typed and as the simulator's views show
// it: point decimal, 12:00:04.999, 200ms, none.
func showValue(v any, spec AnswerSpec) string {
	if list, ok := listOf(v); ok {
		parts := make([]string, len(list))
		for i, e := range list {
			parts[i] = showValue(e, spec)
		}
		return strings.Join(parts, ", ")
	}
	if s, ok := v.(string); ok {
		return s
	}
	q, ok := quantityOf(v, spec)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case q.None:
		return "none"
	case spec.Type == TypeTime && q.Number.IsInt() && q.Number.Num().IsInt64():
		return showTime(q.Number.Num().Int64(), spec)
	case spec.Type == TypeDuration:
		return millisText(q.Number, spec.Unit)
	}
	return decimalText(q.Number)
}

func decimalText(r *big.Rat) string {
	n, exact := r.FloatPrec()
	if !exact {
		n = 4
	}
	return r.FloatString(n)
}

// showTime writes times of the item's day as HH:MM:SS.mmm, others in ms.
func showTime(ms int64, spec AnswerSpec) string {
	switch ms {
	case math.MinInt64:
		return "MIN"
	case math.MaxInt64:
		return "MAX"
	}
	day := spec.day()
	if ms < day || ms >= day+86_400_000 {
		return strconv.FormatInt(ms, 10)
	}
	at := time.UnixMilli(ms).UTC()
	if ms%1000 == 0 {
		return at.Format("15:04:05")
	}
	return at.Format("15:04:05.000")
}
