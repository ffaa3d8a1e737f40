package verify

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// mostNumber is 2^53 - 1, the largest integer of the protocol.
const mostNumber = 1<<53 - 1

// Refusal means that a file is not of its format (section 1.2): the check of it fails.
type Refusal struct {
	Field string // the path of the field at fault, such as chain.relayer
	Why   string
}

func (r *Refusal) Error() string {
	if r.Field == "" {
		return r.Why
	}
	return r.Field + " " + r.Why
}

// form checks a value, and panics with a *Refusal that names its field.
type form func(field string, value any)

func refuse(field, why string) { panic(&Refusal{field, why}) }

// caught returns what refuse panicked with.
func caught(err *error) {
	switch fault := recover().(type) {
	case nil:
	case *Refusal:
		*err = fault
	default:
		panic(fault)
	}
}

func matching(pattern, why string) form {
	compiled := regexp.MustCompile(`^(?:` + pattern + `)$`)
	return func(field string, value any) {
		if text, ok := value.(string); !ok || !compiled.MatchString(text) {
			refuse(field, why)
		}
	}
}

const (
	hashPattern = `[0-9a-f]{64}`
	uuidPattern = `[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
)

// The forms of section 2.1.
var (
	isHash      = matching(hashPattern, "is not 64 lower-case hex digits")
	isSignature = matching(`[0-9a-f]{128}`, "is not 128 lower-case hex digits")
	isBytes     = matching(`0x(?:[0-9a-f]{2})*`, "is not bytes in lower-case hex after 0x")
	isUID       = matching(`0x`+hashPattern, "is not 0x and 64 lower-case hex digits")
	isAddress   = matching(`0x[0-9a-fA-F]{40}`, "is not 0x and 40 hex digits")
	isUUID      = matching(uuidPattern, "is not a UUID in lower case")
	timePattern = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.\d{3}Z$`)
)

func isText(field string, value any) {
	if _, ok := value.(string); !ok {
		refuse(field, "is not a text")
	}
}

func isTrueOrFalse(field string, value any) {
	if _, ok := value.(bool); !ok {
		refuse(field, "is not true or false")
	}
}

func isTime(field string, value any) {
	if text, ok := value.(string); !ok || !realTime(text) {
		refuse(field, "is not a time such as 2026-01-02T03:04:05.678Z")
	}
}

const timeLayout = "2006-01-02T15:04:05.000Z"

// realTime reports whether the text has the form time of section 2.1.
func realTime(text string) bool {
	if !timePattern.MatchString(text) {
		return false
	}
	moment, err := time.Parse(timeLayout, text)
	return err == nil && moment.Format(timeLayout) == text
}

// milliseconds since 1970 of a time.
func milliseconds(text string) int64 {
	moment, _ := time.Parse(timeLayout, text)
	return moment.UnixMilli()
}

func isInteger(least, most int64) form {
	return func(field string, value any) {
		if number, ok := wholeNumber(value); !ok || number < least || number > most {
			refuse(field, fmt.Sprintf("is not an integer from %d to %d", least, most))
		}
	}
}

func isOneOf(allowed ...any) form {
	return func(field string, value any) {
		for _, one := range allowed {
			switch value.(type) {
			case nil, string, float64, bool:
				if value == one {
					return
				}
			}
		}
		refuse(field, fmt.Sprintf("is none of %v", allowed))
	}
}

func isNullOr(other form) form {
	return func(field string, value any) {
		if value != nil {
			other(field, value)
		}
	}
}

func isListOf(least, most int, item form) form {
	return func(field string, value any) {
		list, ok := value.([]any)
		if !ok || len(list) < least || len(list) > most {
			refuse(field, fmt.Sprintf("is not a list of %d to %d", least, most))
		}
		for at, one := range list {
			item(fmt.Sprintf("%s[%d]", field, at), one)
		}
	}
}

// member is a field of an object. The name of an optional one ends in "?".
type member struct {
	name string
	form form
}

type object = map[string]any

func fieldOf(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

func isObject(members ...member) form {
	return func(field string, value any) {
		found, ok := value.(object)
		if !ok {
			refuse(field, "is not an object")
		}
		for _, one := range members {
			name := strings.TrimSuffix(one.name, "?")
			value, present := found[name]
			if !present && name == one.name {
				refuse(fieldOf(field, name), "is missing")
			}
			if present {
				one.form(fieldOf(field, name), value)
			}
		}
	}
}

// isExactly is isObject without other members.
func isExactly(members ...member) form {
	has := isObject(members...)
	return func(field string, value any) {
		has(field, value)
	next:
		for name := range value.(object) {
			for _, one := range members {
				if strings.TrimSuffix(one.name, "?") == name {
					continue next
				}
			}
			refuse(fieldOf(field, name), "is not a field of this object")
		}
	}
}

// Reading of members whose form was checked.

func textOf(value any) string { text, _ := value.(string); return text }

func integerOf(value any) int64 { number, _ := wholeNumber(value); return number }

// bytesOf decodes hex with or without 0x.
func bytesOf(value any) []byte {
	decoded, err := hex.DecodeString(strings.TrimPrefix(textOf(value), "0x"))
	if err != nil {
		panic(err)
	}
	return decoded
}

func hashesOf(value any) [][]byte {
	var found [][]byte
	list, _ := value.([]any)
	for _, one := range list {
		found = append(found, bytesOf(one))
	}
	return found
}

func userBytes(userID string) []byte { return bytesOf(strings.ReplaceAll(userID, "-", "")) }
