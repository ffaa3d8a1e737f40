package verify

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

type promiseVector struct {
	About, Content string
	Canonical      *string `json:"canonical_string"`
	Promise        any
	Nonce, Leaf    string
	Root           string
	Description    string
	Topic, Mode    string
	RevealAt       *string `json:"reveal_at"`
	ChallengeID    *string `json:"challenge_id"`
	CreatedAt      string  `json:"created_at"`
	UserID         string  `json:"user_id"`
	EtchID         string  `json:"etch_id"`
	Hash           string
}

// attestedAt is a report of a receipt that is attested at a time.
func attestedAt(moment string) Report {
	return Report{Checks: []Check{{}, {Verdict: Pass}, {Verdict: Pass, Time: milliseconds(moment) / 1000}}}
}

func (one promiseVector) etch() object {
	found := object{"description": one.Description, "category": object{"id": one.Topic}, "mode": one.Mode}
	if one.RevealAt != nil {
		found["reveal_at"] = *one.RevealAt
	}
	if one.ChallengeID != nil {
		found["challenge"] = object{"id": *one.ChallengeID}
	}
	return found
}

func (one promiseVector) receipt() *receipt {
	return &receipt{
		etchID: one.EtchID, userID: one.UserID, hash: one.Hash, words: one.Canonical,
		chain: object{"attestation_uid": "0x"},
	}
}

func TestPromises(t *testing.T) {
	for _, one := range readVector[struct{ Promises []promiseVector }](t, "valid/promises.json").Promises {
		read := readPromise("", one.Promise)
		if hex.EncodeToString(sha([]byte{0}, []byte(read.text))) != one.Leaf || hex.EncodeToString(read.root()) != one.Root {
			t.Errorf("%s: another leaf or root", read.text)
		}
		if !read.signed() || !read.makesWords(one.Content) || one.Nonce != read.nonce {
			t.Errorf("%s: the signature or the words do not hold", read.text)
		}
		keys, of, in := []string{read.key}, one.receipt(), attestedAt(one.CreatedAt)
		late := attestedAt(addDays(read.anchorBy, 1) + "T00:00:00.000Z")
		changed := one.etch()
		changed["mode"] = "another"
		other := one.Content + "."
		for _, given := range []struct {
			about string
			keys  []string
			in    Report
			sent  *string
			etch  object
			want  Verdict
		}{
			{"kept", keys, in, &one.Content, one.etch(), Pass},
			{"kept, without the content that was sent", keys, in, nil, one.etch(), Pass},
			{"of an unknown key", nil, in, &one.Content, one.etch(), Wait},
			{"attested after the day", keys, late, &one.Content, one.etch(), Wait},
			{"with other content", keys, in, &other, one.etch(), Wait},
			{"without public fields", keys, in, &one.Content, nil, Wait},
			{"with another mode", keys, in, &one.Content, changed, Wait},
		} {
			if found := read.judge(given.keys, of, given.in, given.sent, given.etch); found.Verdict != given.want {
				t.Errorf("%s: %+v, want %s", given.about, found, given.want)
			}
		}
		of.etchID = "00000000-0000-4000-8000-000000000000"
		if found := read.judge(keys, of, in, nil, one.etch()); found.Verdict != Wait {
			t.Errorf("of another etch: %+v", found)
		}
	}
}

func TestRefusedPromises(t *testing.T) {
	each(t, "invalid/promise-*.json", func(t *testing.T, one promiseVector) {
		var err error
		var read *promise
		func() {
			defer caught(&err)
			read = readPromise("", one.Promise)
		}()
		if err == nil && read.signed() {
			t.Error("the promise is accepted")
		}
	})
}

func TestContents(t *testing.T) {
	each(t, "invalid/content-*.json", func(t *testing.T, one promiseVector) {
		read := readPromise("", one.Promise)
		want, of := Wait, &receipt{etchID: read.etchID, userID: read.userID, hash: read.hash, words: one.Canonical}
		if of.chain = (object{"attestation_uid": "0x"}); one.Canonical != nil {
			want = Fail
		}
		found := read.judge([]string{read.key}, of, attestedAt(read.anchorBy+"T00:00:00.000Z"), &one.Content, nil)
		if !read.signed() || found.Verdict != want || strings.Contains(found.Detail, "public fields") {
			t.Errorf("%+v, want %s", found, want)
		}
	})
}

func TestTakenDown(t *testing.T) {
	for _, one := range readVector[struct {
		Descriptions []struct {
			Name, Text string
			TakenDown  bool `json:"taken_down"`
		}
	}](t, "valid/taken-down.json").Descriptions {
		if takenDown(one.Text) != one.TakenDown {
			t.Errorf("%s: want %v", one.Name, one.TakenDown)
		}
	}
}

type openingVector struct {
	Expect  string
	Opening json.RawMessage
}

func TestOpenings(t *testing.T) {
	check := func(name string, one openingVector) {
		found, err := Opening(one.Opening)
		want := map[string]Verdict{"pass": Wait, "fail": Fail}[one.Expect]
		switch {
		case one.Expect == "refuse":
			if err == nil {
				t.Errorf("%s: %+v, want a refusal", name, found)
			}
		// Only decrypting shows what is wrong with these.
		case err != nil || found.Verdict != want && found.Verdict != Wait:
			t.Errorf("%s: %+v %v, want %s", name, found, err, want)
		case found.Verdict == Wait && strings.Contains(name, "armor"):
			t.Errorf("%s: another spelling of the armor is accepted", name)
		}
	}
	for _, one := range readVector[struct{ Openings []openingVector }](t, "valid/openings.json").Openings {
		check("valid", one)
	}
	each(t, "invalid/opening-*.json", func(t *testing.T, one openingVector) { check(t.Name(), one) })
	changed := readVector[openingVector](t, "invalid/opening-changed-after-signing.json")
	if found, _ := Opening(changed.Opening); found.Verdict != Fail {
		t.Errorf("a changed opening: %+v", found)
	}
}

func TestOpenTimestamps(t *testing.T) {
	one := readVector[struct {
		evidenceVector
		Header   string `json:"bitcoin_header"`
		Time     string
		Exported string
	}](t, "valid/ots.json")
	header, err := ReadHeader(one.Header)
	if err != nil {
		t.Fatal(err)
	}
	check := func(headers ...Header) (Report, error) {
		return Evidence(one.Evidence, one.Trust.pins(), Blocks{Hashes: one.BlockHashes}, nil, Clocks{Headers: headers})
	}
	report, err := check(header)
	if err != nil || report.Overall != Pass || report.OTS.Verdict != Pass || !strings.Contains(report.OTS.Detail, one.Time) {
		t.Errorf("%v %+v", err, report.OTS)
	}
	if report, _ := check(); report.OTS.Verdict != Wait || report.Overall != Pass || len(report.Unread) > 0 {
		t.Errorf("without a header: %+v", report.OTS)
	}
	other := header
	other[40] ^= 1
	if report, _ := check(other); report.OTS.Verdict != Fail || report.Overall != Fail {
		t.Errorf("with another header: %+v", report.OTS)
	}
	exported, err := parseOTS(bytesOf(one.Exported))
	if err != nil || len(exported.messages) != 1 || !bytes.Equal(exported.messages[0], header.root()) {
		t.Errorf("the exported file: %v %+v", err, exported)
	}
	for at := range bytesOf(one.Exported) { // no byte may change the root that the file leads to, or be ignored
		changed := bytesOf(one.Exported)
		changed[at] ^= 0x40
		found, err := parseOTS(changed)
		if err == nil && bytes.Equal(found.hash, exported.hash) && at < len(changed)-4 &&
			len(found.messages) == 1 && bytes.Equal(found.messages[0], header.root()) {
			t.Errorf("byte %d does not count", at)
		}
	}
}

func TestRipemd160(t *testing.T) {
	for text, sum := range map[string]string{
		"":                              "9c1185a5c5e9fc54612808977ee8f548b2258d31",
		"message digest":                "5d0689ef49d2fae572b881b123a85ffa21595f36",
		strings.Repeat("1234567890", 8): "9b752e45573d4b39f4dbd3323cab82bf63326bfb",
	} {
		if found := hex.EncodeToString(ripemd160([]byte(text))); found != sum {
			t.Errorf("ripemd160 of %q is %s, want %s", text, found, sum)
		}
	}
}
