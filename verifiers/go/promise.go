package verify

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"
)

// Finding is the outcome of a check of a file next to the receipt.
type Finding struct {
	Verdict Verdict
	Detail  string
}

// promise is section 3.3.
type promise struct {
	etchID, userID, hash, anchorBy, descriptionHash string
	topic, mode, revealAt, challengeID, words       string
	text, key, signature, nonce                     string
	path                                            [][]byte
}

const dayLayout = "2006-01-02"

var (
	promisePattern = regexp.MustCompile(`^svc-promise:v3\|(` + uuidPattern + `)\|(` + uuidPattern + `)\|(` + hashPattern +
		`)\|(\d{4}-\d\d-\d\d)\|(` + hashPattern + `)\|([a-z][a-z0-9_-]{0,39})\|(instant|delayed)\|(-|[^|]{24})\|(-|` +
		uuidPattern + `)\|(` + hashPattern + `)$`)
	isPromise = isObject(
		member{"text", isText}, member{"path", isListOf(0, 8, isHash)}, member{"public_key", isHash},
		member{"signature", isSignature}, member{"nonce?", isNullOr(isHash)},
	)
)

func readPromise(field string, value any) *promise {
	isPromise(field, value)
	all := value.(object)
	parts := promisePattern.FindStringSubmatch(textOf(all["text"]))
	wrong := func(why string) { refuse(fieldOf(field, "text"), why) }
	if parts == nil {
		wrong("has not the form of a promise")
	}
	found := &promise{
		etchID: parts[1], userID: parts[2], hash: parts[3], anchorBy: parts[4], descriptionHash: parts[5],
		topic: parts[6], mode: parts[7], revealAt: parts[8], challengeID: parts[9], words: parts[10],
		text: parts[0], key: textOf(all["public_key"]), signature: textOf(all["signature"]),
		nonce: textOf(all["nonce"]), path: hashesOf(all["path"]),
	}
	day, err := time.Parse(dayLayout, found.anchorBy)
	if err != nil || day.Format(dayLayout) != found.anchorBy || found.revealAt != "-" && !realTime(found.revealAt) {
		wrong("names a time that does not exist")
	}
	if (found.mode == "instant") != (found.revealAt == "-") {
		wrong("has a mode that contradicts the reveal time")
	}
	return found
}

// root is what the service signed: the leaf of the text, folded with the path.
func (p *promise) root() []byte { return foldProof(sha([]byte{0}, []byte(p.text)), p.path) }

func (p *promise) signed() bool {
	text := fmt.Sprintf("svc-promises:v1|%x", p.root())
	return verifies(bytesOf(p.key), []byte(text), bytesOf(p.signature))
}

func (p *promise) makesWords(content string) bool {
	return hex.EncodeToString(sha([]byte("svc-words:v1|"+p.nonce+"|"+content))) == p.words
}

// Promise checks a promise (section 4.10) against the receipt or evidence of its etch and the report of that file. The file
// has the promise, or contains it as promise; content is the text that was sent. etch is an answer of GET
// /api/v1/etches/{id}, or nil.
// Nothing asks the service, so only the words can break a promise.
func Promise(file []byte, keys []string, of []byte, report Report, etch []byte) (found Finding, err error) {
	defer caught(&err)
	value, err := parseFile(file)
	if err != nil {
		return Finding{}, &Refusal{Why: err.Error()}
	}
	field, sent := "", (*string)(nil)
	all := asObject(value)
	if content, ok := all["content"].(string); ok {
		sent = &content
	}
	if all["promise"] != nil {
		field, value = "promise", all["promise"]
	}
	read := readPromise(field, value)
	r, err := receiptIn(of)
	if err != nil {
		return Finding{}, err
	}
	shown, err := shownEtch(etch)
	if err != nil {
		return Finding{}, err
	}
	return read.judge(keys, r, report, sent, shown), nil
}

// receiptIn is the receipt that a file is or contains. Its form was checked.
func receiptIn(file []byte) (*receipt, error) {
	value, err := parseFile(file)
	if err != nil {
		return nil, err
	}
	if inner := asObject(value)["receipt"]; inner != nil {
		value = inner
	}
	return readReceipt("", value), nil
}

func shownEtch(file []byte) (object, error) {
	if file == nil {
		return nil, nil
	}
	value, err := parseFile(file)
	if err == nil && asObject(asObject(value)["etch"]) == nil {
		err = &Refusal{Field: "etch", Why: "is not an object"}
	}
	return asObject(asObject(value)["etch"]), err
}

func (p *promise) judge(keys []string, r *receipt, report Report, sent *string, shown object) Finding {
	wait := func(why string) Finding { return Finding{Wait, why} }
	if !p.signed() {
		return Finding{Fail, "the signature of the promise does not verify"}
	}
	if !contains(keys, p.key) {
		return wait("the key of the promise is not pinned: " + p.key)
	}
	if p.etchID != r.etchID {
		return wait("the promise is of another etch")
	}
	if p.hash != r.hash || p.userID != r.userID {
		return wait("the file has another hash or author than the promise")
	}
	stated, _ := checkWords(r, "")
	if day := dayOf(stated, shown); day != "" && addDays(day, 2) != p.anchorBy {
		if stated != "" {
			return Finding{Fail, "the promised day is not two days after that of the words"}
		}
		return wait("the promised day is not two days after that of the etch")
	}
	var revealed *string
	if stated != "" {
		revealed = &canonicalPattern.FindStringSubmatch(*r.words)[4]
	}
	promised := sent != nil && p.nonce != "" && p.makesWords(*sent)
	if promised && revealed != nil && *revealed != *sent {
		return Finding{Fail, "the service accepted other words than it revealed"}
	}
	if shown != nil && !p.fits(shown) {
		return wait("the etch is shown with other public fields than the promise names")
	}
	batch, chain := report.Checks[1], report.Checks[2]
	switch {
	case batch.Verdict == Fail || chain.Verdict == Fail || r.chain["attestation_uid"] == nil:
		return wait("the etch is not proven to be attested")
	case chain.Verdict == Wait:
		return wait("the chain could not be read")
	case chain.Time >= milliseconds(addDays(p.anchorBy, 1)+"T00:00:00.000Z")/1000:
		return wait("the etch was attested after the promised day")
	case sent != nil && !promised, revealed != nil && p.nonce != "" && !p.makesWords(*revealed):
		return wait("nonce and content do not make the promised words")
	case shown == nil:
		return wait("the public fields of the etch are not shown: give the answer of the service for the etch")
	}
	return Finding{Pass, "the promise was kept: attested on " + p.anchorBy + " or earlier"}
}

// dayOf is the day of the etch: that of words that make the hash, else that of any answer; "" if it is not known.
func dayOf(stated string, shown object) string {
	if stated != "" {
		return stated[:10]
	}
	day := textOf(shown["created_on"])
	if _, err := time.Parse(dayLayout, day); err != nil {
		return ""
	}
	return day
}

func addDays(day string, days int) string {
	moment, _ := time.Parse(dayLayout, day)
	return moment.AddDate(0, 0, days).Format(dayLayout)
}

func (p *promise) fits(etch object) bool {
	orDash := func(value any) string {
		if value == nil {
			return "-"
		}
		return textOf(value)
	}
	challenge := "-"
	if of := asObject(etch["challenge"]); of != nil {
		challenge = textOf(of["id"])
	}
	description := textOf(etch["description"])
	return (takenDown(description) || hex.EncodeToString(sha([]byte(description))) == p.descriptionHash) &&
		textOf(asObject(etch["category"])["id"]) == p.topic && textOf(etch["mode"]) == p.mode &&
		orDash(etch["reveal_at"]) == p.revealAt && challenge == p.challengeID
}

const taken = "Taken down by the operator"

var (
	takenForm        = `(?: \[(?:number:[^\[\]]*|[ \t]*(?i:yes)[ \t]*\|[ \t]*(?i:no)[ \t]*)\])?`
	takenDescription = regexp.MustCompile(`^(?:(?:svc-resolution:v1 ` + uuidPattern + ` )?` + taken + `|Sealed answer to: ` +
		taken + takenForm + `)$`)
)

const longestDescription = 140

// takenDown reports whether the operator took a description down. The last bracket of one of 140 characters is cut off.
func takenDown(description string) bool {
	return takenDescription.MatchString(description) ||
		utf8.RuneCountInString(description) == longestDescription && takenDescription.MatchString(description+"]")
}

func contains(list []string, wanted string) bool {
	for _, one := range list {
		if one == wanted {
			return true
		}
	}
	return false
}
