// Package verify checks files of a commitment service as the service's docs/protocol.md specifies them: receipts,
// evidence, proofs of the log of trees, and answers of the index of accounts. The comments cite sections of that page.
package verify

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"
)

// Verdict is the outcome of a check (section 1.2).
type Verdict string

const (
	Pass Verdict = "pass"
	Fail Verdict = "fail"
	Wait Verdict = "wait"
	Info Verdict = "info"
)

// Check is one check with its verdict. The vectors name its badge.
type Check struct {
	Key     string // words, batch or chain
	Verdict Verdict
	Badge   string
	Detail  string
	Time    int64 // of a chain that passes: of the attestation, in seconds since 1970
}

// Pins are what the reader trusts (section 1.4). An empty field is not pinned.
type Pins struct {
	ChainID   int64
	Contract  string
	SchemaUID string
	Relayers  []string
	AuthorKey string // 64 hex digits of an Ed25519 key
}

// Report is the outcome of all checks of a receipt or of evidence.
type Report struct {
	Overall Verdict
	Checks  []Check // words, batch and chain
	Hash    string  // of the etch
	UserID  string  // of the author
	// Unpinned names what only the file says; with one of them the best verdict is wait.
	Unpinned []string
	// Former has the reports of the witnesses of kind former-chain, in the order of the file. They do not change Overall.
	Former []Report
	// OTS and TSA are the outcomes of the witnesses of the kinds ots and rfc3161; nil without one. A failure fails Overall.
	OTS, TSA *Finding
	// Unread names the witnesses of other kinds: this package does not check them.
	Unread []string
}

// Receipt checks a receipt (sections 4.4 to 4.7). ask may be nil: then the chain waits. The error is a *Refusal.
func Receipt(data []byte, pins Pins, ask Ask) (report Report, err error) {
	defer caught(&err)
	value, err := parseFile(data)
	if err != nil {
		return Report{}, &Refusal{Why: err.Error()}
	}
	found := readReceipt("", value)
	trust, unpinned := pins.with(found)
	source := func(uid string) (*attested, error) {
		return readAttestation(ask, trust.ChainID, trust.Contract, uid)
	}
	return judge(found, pins, trust, unpinned, source), nil
}

// source returns the attestation of a uid, or why it cannot be read. A contradiction is an error that fails the check.
type source func(uid string) (*attested, error)

type contradiction struct{ error }

func contradict(format string, values ...any) error {
	return contradiction{fmt.Errorf(format, values...)}
}

func contradicts(err error) bool { return errors.As(err, new(contradiction)) }

func judge(r *receipt, pins, trust Pins, unpinned []string, read source) Report {
	stated, words := checkWords(r, pins.AuthorKey)
	checks := []Check{words, checkBatch(r), checkChain(r, pins, trust, read, stated)}
	report := Report{Checks: checks, Unpinned: unpinned, Hash: r.hash, UserID: r.userID}
	report.Overall = combine(report.Checks)
	if report.Overall == Pass && len(unpinned) > 0 {
		report.Overall = Wait
	}
	return report
}

// combine is section 1.3.
func combine(checks []Check) Verdict {
	worst := Pass
	for _, one := range checks {
		switch {
		case one.Verdict == Fail:
			return Fail
		case one.Verdict == Wait:
			worst = Wait
		}
	}
	return worst
}

// with fills what is not pinned from the receipt, and names it.
func (p Pins) with(r *receipt) (Pins, []string) {
	var unpinned []string
	note := func(name string, missing bool) bool {
		if missing {
			unpinned = append(unpinned, name)
		}
		return missing
	}
	if note("chain_id", p.ChainID == 0) {
		p.ChainID = integerOf(r.chain["chain_id"])
	}
	if note("attestation_contract", p.Contract == "") {
		p.Contract = textOf(r.chain["attestation_contract"])
	}
	if note("schema_uid", p.SchemaUID == "") {
		p.SchemaUID = textOf(r.chain["schema_uid"])
	}
	if note("relayer", len(p.Relayers) == 0) {
		p.Relayers = []string{r.lower("relayer")}
	}
	return p, unpinned
}

func (p Pins) relayer(address string) bool {
	for _, one := range p.Relayers {
		if strings.EqualFold(one, address) {
			return true
		}
	}
	return false
}

var canonicalPattern = regexp.MustCompile(
	`(?s)^svc:v1\|(` + uuidPattern + `)\|([^|]{24})\|(` + hashPattern + `)\|([^\x00]*)$`)

// checkWords returns the stated time, or "".
func checkWords(r *receipt, authorKey string) (string, Check) {
	verdict := func(of Verdict, badge, detail string) Check {
		return Check{Key: "words", Verdict: of, Badge: badge, Detail: detail}
	}
	if r.words == nil {
		badge := "sealed"
		if r.status == "retracted" {
			badge = "erased"
		}
		return "", verdict(Info, badge, "the words are not in the receipt")
	}
	wrong := func(detail string) (string, Check) { return "", verdict(Fail, "mismatch", detail) }
	parts := canonicalPattern.FindStringSubmatch(*r.words)
	if parts == nil || !utf8.ValidString(*r.words) || !realTime(parts[2]) {
		return wrong("canonical_string has no canonical form")
	}
	user, stated, content := parts[1], parts[2], parts[4]
	if hex.EncodeToString(sha([]byte(*r.words))) != r.hash {
		return wrong("the words do not make the hash")
	}
	if user != r.userID {
		return wrong("the words are by a different author")
	}
	if r.signature == nil {
		if authorKey != "" {
			return stated, verdict(Wait, "match", "the author's key is pinned, and the receipt has no signature")
		}
		return stated, verdict(Pass, "match", "the words make the hash")
	}
	key := textOf(r.signature["public_key"])
	signed := fmt.Sprintf("svc-sig:v1|%s|%x", user, sha([]byte(content)))
	if !verifies(bytesOf(key), []byte(signed), bytesOf(r.signature["value"])) {
		return stated, verdict(Fail, "mismatch", "the signature does not verify")
	}
	if authorKey != "" && key != authorKey {
		return stated, verdict(Fail, "mismatch", "the signature is by another key than the author's")
	}
	return stated, verdict(Pass, "match", "the words make the hash; they are signed by the key "+key)
}

func checkBatch(r *receipt) Check {
	verdict := func(of Verdict, badge, detail string) Check {
		return Check{Key: "batch", Verdict: of, Badge: badge, Detail: detail}
	}
	switch {
	case r.inclusion == nil && r.chain["attestation_uid"] == nil:
		return verdict(Wait, "pending", "the etch is not attested yet")
	case r.inclusion == nil:
		return verdict(Info, "direct", "the etch has no tree: its hash itself is attested")
	case !leadsTo(r.inclusion, userBytes(r.userID), bytesOf(r.hash)):
		return verdict(Fail, "excluded", "the proof does not lead to inclusion.root")
	}
	return verdict(Pass, "included", "the proof leads to inclusion.root")
}

func checkChain(r *receipt, pins, trust Pins, read source, stated string) Check {
	var moment int64
	verdict := func(of Verdict, badge, detail string) Check { return Check{"chain", of, badge, detail, moment} }
	fail := func(err error) Check { return verdict(Fail, "mismatch", err.Error()) }
	if err := comparePins(r, pins); err != nil {
		return fail(err)
	}
	commitment, err := readUID(read, r.chain["attestation_uid"])
	if err == nil {
		err = compareCommitment(r, trust, commitment, stated)
	}
	if contradicts(err) {
		return fail(err)
	}
	if r.status == "retracted" {
		retracted, retractionErr := checkRetraction(r, trust, commitment, read)
		if contradicts(retractionErr) {
			return fail(retractionErr)
		}
		if err == nil {
			err = retractionErr
		}
		if err == nil {
			moment = commitment.time
			return verdict(Pass, "revoked", "the retraction was recorded at "+showSeconds(retracted))
		}
	}
	if err != nil {
		badge := "unreachable"
		if errors.Is(err, errPending) || errors.Is(err, errUnknown) {
			badge = "pending"
		}
		return verdict(Wait, badge, err.Error())
	}
	moment = commitment.time
	shown := showSeconds(moment)
	switch {
	case r.inclusion == nil && commitment.revoked != 0:
		return verdict(Info, "revoked", "revoked since, at "+showSeconds(commitment.revoked))
	case stated != "" && moment*1000-milliseconds(stated) > 600_000:
		return verdict(Pass, "late", "attested at "+shown+": only this later time is proven")
	case stated != "":
		return verdict(Pass, "attested", "attested at "+shown+", which proves the stated time "+stated)
	}
	return verdict(Pass, "attested", "attested at "+shown)
}

func showSeconds(seconds int64) string { return showMilliseconds(seconds * 1000) }

func showMilliseconds(number int64) string { return time.UnixMilli(number).UTC().Format(timeLayout) }

// comparePins is step 1 of section 4.6.
func comparePins(r *receipt, pins Pins) error {
	switch {
	case pins.ChainID != 0 && pins.ChainID != integerOf(r.chain["chain_id"]):
		return contradict("the receipt names another chain")
	case pins.Contract != "" && !strings.EqualFold(pins.Contract, textOf(r.chain["attestation_contract"])):
		return contradict("the receipt names another contract")
	case pins.SchemaUID != "" && pins.SchemaUID != r.chain["schema_uid"]:
		return contradict("the receipt names another schema")
	case len(pins.Relayers) > 0 && !pins.relayer(textOf(r.chain["relayer"])):
		return contradict("the receipt names another relayer")
	}
	return nil
}

var errPending = errors.New("it is not on the chain yet")

func readUID(read source, uid any) (*attested, error) {
	if uid == nil {
		return nil, errPending
	}
	found, err := read(textOf(uid))
	if err != nil {
		return nil, err
	}
	return found, nil
}

// compareData compares schema, kind and tree of an attestation.
func compareData(trust Pins, found *attested, of *tree, kind int64) error {
	data, ok := readData(found.data)
	switch {
	case found.schema != trust.SchemaUID:
		return contradict("it is attested under another schema")
	case !ok:
		return contradict("what is attested is no attestation data")
	case data.kind != kind || hex.EncodeToString(data.root) != of.root ||
		data.version != of.version || data.size != of.size:
		return contradict("kind, root, version or size of the attestation differ")
	}
	return nil
}

// compareCommitment is steps 3 to 7 of section 4.6.
func compareCommitment(r *receipt, trust Pins, found *attested, stated string) error {
	of := r.committed()
	if err := compareData(trust, found, of, 0); err != nil {
		return err
	}
	switch {
	case found.attester != r.lower("relayer"):
		return contradict("it is attested by %s", found.attester)
	case r.chain["expect_onchain"] != of.root:
		return contradict("chain.expect_onchain is another root")
	case r.chain["anchored_at"] != nil && r.chain["anchored_at"] != showSeconds(found.time):
		return contradict("chain.anchored_at is not the time of the attestation")
	case r.inclusion != nil && found.revoked != 0:
		return contradict("the attestation of a tree is revoked")
	case stated != "" && found.time < floorSeconds(milliseconds(stated)):
		return contradict("it is attested before the stated time")
	}
	return nil
}

func floorSeconds(milliseconds int64) int64 {
	seconds := milliseconds / 1000
	if milliseconds%1000 < 0 {
		seconds--
	}
	return seconds
}

// checkRetraction is section 4.7: the time of the retraction in seconds, or why it is not known.
func checkRetraction(r *receipt, trust Pins, commitment *attested, read source) (int64, error) {
	switch {
	case r.revocation == nil:
		return 0, errPending
	case r.revocation["kind"] == nil:
		uid := r.revocation["attestation_uid"]
		if r.inclusion != nil || uid != nil && uid != r.chain["attestation_uid"] {
			return 0, contradict("another attestation is called revoked")
		}
		if commitment == nil || commitment.revoked == 0 {
			return 0, errPending
		}
		return commitment.revoked, nil
	case r.inclusion == nil && r.chain["attestation_uid"] != nil:
		return 0, contradict("an etch without a tree has a tombstone")
	case r.tombstone == nil:
		return 0, errPending
	case !leadsTo(r.tombstone, userBytes(r.userID), bytesOf(r.hash)):
		return 0, contradict("the proof does not lead to revocation.root")
	}
	found, err := readUID(read, r.revocation["attestation_uid"])
	if err != nil {
		return 0, err
	}
	if err := compareData(trust, found, r.tombstone, 1); err != nil {
		return 0, err
	}
	switch {
	case commitment != nil && found.attester != commitment.attester, commitment == nil && !trust.relayer(found.attester):
		return 0, contradict("the tombstone is attested by %s", found.attester)
	case found.revoked != 0:
		return 0, contradict("the attestation of the tombstone is revoked")
	}
	return found.time, nil
}
