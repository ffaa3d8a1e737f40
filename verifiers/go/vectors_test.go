package verify

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"
)

const vectors = "../../vectors"

func readVector[T any](t *testing.T, name string) (found T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(vectors, name))
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// each runs a test for each vector whose name has the pattern. A pattern without a file fails.
func each[T any](t *testing.T, pattern string, check func(t *testing.T, one T)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectors, pattern))
	if err != nil || len(files) == 0 {
		t.Fatal("no vector", pattern, err)
	}
	for _, file := range files {
		name := strings.TrimPrefix(file, vectors+"/")
		t.Run(name, func(t *testing.T) { check(t, readVector[T](t, name)) })
	}
}

type trust struct {
	ChainID   int64    `json:"chain_id"`
	Contract  string   `json:"contract"`
	SchemaUID string   `json:"schema_uid"`
	Relayers  []string `json:"relayers"`
}

func (t trust) pins() Pins {
	return Pins{ChainID: t.ChainID, Contract: t.Contract, SchemaUID: t.SchemaUID, Relayers: t.Relayers}
}

type chainState struct {
	ChainID int64             `json:"chain_id"`
	EthCall map[string]string `json:"eth_call"`
}

// ask answers as a node whose contract has these attestations.
func (c chainState) ask(method string, params ...any) ([]byte, error) {
	result := fmt.Sprintf("0x%x", c.ChainID)
	if method == "eth_call" {
		uid := "0x" + params[0].(map[string]string)["data"][10:]
		var known bool
		if result, known = c.EthCall[uid]; !known {
			result = fmt.Sprintf("0x%064x%s%064x%064x", 0x20, strings.Repeat("0", 9*64), 0x140, 0)
		}
	}
	return json.Marshal(object{"jsonrpc": "2.0", "id": 1, "result": result})
}

type receiptVector struct {
	Receipt json.RawMessage
	Trust   trust
	Chain   chainState
	Expect  struct{ Overall, Words, Batch, Chain string }
}

func checkReceiptVector(t *testing.T, one receiptVector) {
	report, err := Receipt(one.Receipt, one.Trust.pins(), one.Chain.ask)
	if err != nil {
		t.Fatal(err)
	}
	found := []string{string(report.Overall)}
	for _, check := range report.Checks {
		found = append(found, check.Badge)
	}
	wanted := []string{one.Expect.Overall, one.Expect.Words, one.Expect.Batch, one.Expect.Chain}
	if strings.Join(found, " ") != strings.Join(wanted, " ") {
		t.Errorf("%v, want %v: %+v", found, wanted, report.Checks)
	}
}

func TestReceipts(t *testing.T) {
	each(t, "valid/receipt-*.json", checkReceiptVector)
	each(t, "invalid/receipt-*.json", checkReceiptVector)
	for _, one := range readVector[struct{ Cases []receiptVector }](t, "valid/receipts-by-tree-size.json").Cases {
		checkReceiptVector(t, one)
	}
}

func TestRefusedReceipts(t *testing.T) {
	each(t, "invalid/refused-*.json", func(t *testing.T, one struct {
		Field   string
		Receipt json.RawMessage
		Trust   trust
	}) {
		_, err := Receipt(one.Receipt, one.Trust.pins(), nil)
		var refusal *Refusal
		if !errors.As(err, &refusal) || refusal.Field != one.Field {
			t.Errorf("%v, want a refusal of %s", err, one.Field)
		}
	})
}

func TestFilesAndAnswers(t *testing.T) {
	type kase struct {
		Name, Expect string
		File         []byte
		Call         []byte
		ChainID      []byte `json:"chain_id"`
		Status       int
	}
	for _, name := range []string{"files", "files-utf-16", "answers"} {
		all := readVector[struct {
			Receipt json.RawMessage
			Trust   trust
			Chain   chainState
			Cases   []kase
		}](t, "valid/"+name+".json")
		for _, one := range all.Cases {
			file := one.File
			if file == nil {
				file = all.Receipt
			}
			ask := func(method string, params ...any) ([]byte, error) {
				switch {
				case method == "eth_call" && one.Call != nil:
					if one.Status != 0 && one.Status/100 != 2 {
						return nil, errors.New("no answer")
					}
					return one.Call, nil
				case method == "eth_chainId" && one.ChainID != nil:
					return one.ChainID, nil
				}
				return all.Chain.ask(method, params...)
			}
			report, err := Receipt(file, all.Trust.pins(), ask)
			found := string(report.Overall)
			if err != nil {
				found = "fail"
			}
			if found != one.Expect {
				t.Errorf("%s, %s: %s, want %s (%v)", name, one.Name, found, one.Expect, err)
			}
		}
	}
}

type evidenceVector struct {
	About       string
	Evidence    json.RawMessage
	Trust       trust
	BlockHashes []string `json:"block_hashes"`
	Former      []struct {
		Trust       trust
		BlockHashes []string `json:"block_hashes"`
	}
	Expect any
}

func (one evidenceVector) report() (Report, error) {
	return Evidence(one.Evidence, one.Trust.pins(), Blocks{Hashes: one.BlockHashes},
		func(int64) (Pins, Blocks) { return Pins{}, Blocks{} }, Clocks{})
}

func checkEvidenceVector(t *testing.T, one evidenceVector) {
	report, err := one.report()
	found := string(report.Overall)
	if err != nil {
		found = "refuse"
	}
	if badges, ok := one.Expect.([]any); ok {
		one.Expect = "pass " + fmt.Sprint(badges)
		found += " " + fmt.Sprint(badgesOf(report))
	}
	if found != one.Expect {
		t.Errorf("%s: %s, want %v: %v %+v", one.About, found, one.Expect, err, report)
	}
}

func badgesOf(report Report) (found []string) {
	for _, check := range report.Checks {
		found = append(found, check.Badge)
	}
	return found
}

func TestEvidence(t *testing.T) {
	each(t, "valid/evidence-*.json", checkEvidenceVector)
	each(t, "invalid/evidence-*.json", checkEvidenceVector)
	for _, one := range readVector[struct{ Cases []evidenceVector }](t, "valid/more-evidence.json").Cases {
		checkEvidenceVector(t, one)
	}
	checkEvidenceVector(t, readVector[evidenceVector](t, "valid/ots.json"))
	checkEvidenceVector(t, readVector[evidenceVector](t, "valid/stamped-evidence.json"))
}

func checkFormerVector(t *testing.T, one evidenceVector) {
	next := 0
	report, err := Evidence(one.Evidence, Pins{}, Blocks{}, func(int64) (Pins, Blocks) {
		next++
		return one.Former[next-1].Trust.pins(), Blocks{Hashes: one.Former[next-1].BlockHashes}
	}, Clocks{})
	if one.Expect == "refuse" {
		if err == nil {
			t.Errorf("%s: %+v, want a refusal", one.About, report)
		}
		return
	}
	found := []any{}
	for _, former := range report.Former {
		found = append(found, string(former.Overall))
	}
	if err != nil || fmt.Sprint(found) != fmt.Sprint(one.Expect) {
		t.Errorf("%s: %v %v, want %v: %+v", one.About, err, found, one.Expect, report.Former)
	}
}

func TestFormerChains(t *testing.T) {
	each(t, "invalid/former-*.json", checkFormerVector)
	for _, one := range readVector[struct{ Cases []evidenceVector }](t, "valid/former-chain.json").Cases {
		checkFormerVector(t, one)
	}
}

func TestAttestationData(t *testing.T) {
	for _, one := range readVector[struct {
		Attestations []struct {
			Root, Data  string
			Kind        int64
			TreeVersion int64 `json:"tree_version"`
			TreeSize    int64 `json:"tree_size"`
		}
	}](t, "valid/attestation-data.json").Attestations {
		found, ok := readData(bytesOf(one.Data))
		if !ok || hex.EncodeToString(found.root) != one.Root || found.kind != one.Kind ||
			found.version != one.TreeVersion || found.size != one.TreeSize {
			t.Errorf("%+v, want %+v", found, one)
		}
	}
	each(t, "invalid/attestation-data-*.json", func(t *testing.T, one struct{ Data string }) {
		if found, ok := readData(bytesOf(one.Data)); ok {
			t.Errorf("%+v was accepted", found)
		}
	})
}

type leafVector struct {
	UserID string `json:"user_id"`
	Hash   string
	Leaf   string
	Proof  []string
}

type treeVector struct {
	Name    string
	Version int64 `json:"tree_version"`
	Size    int64 `json:"tree_size"`
	Root    string
	Leaves  []leafVector
}

func TestTreesAndHashes(t *testing.T) {
	worked := readVector[struct {
		Hashes []struct {
			CanonicalString string `json:"canonical_string"`
			Hash            string
		}
		Trees []treeVector
	}](t, "valid/worked-examples.json")
	trees := readVector[struct{ Trees []treeVector }](t, "valid/trees.json").Trees
	for _, one := range append(trees, worked.Trees...) {
		for _, leaf := range one.Leaves {
			of := &tree{root: one.Root, version: one.Version, size: one.Size}
			for _, entry := range leaf.Proof {
				of.proof = append(of.proof, bytesOf(entry))
			}
			if !leadsTo(of, userBytes(leaf.UserID), bytesOf(leaf.Hash)) {
				t.Errorf("%s: a leaf does not lead to the root", one.Name)
			}
		}
	}
	for _, one := range worked.Hashes {
		sum := hex.EncodeToString(sha([]byte(one.CanonicalString)))
		if sum != one.Hash || !canonicalPattern.MatchString(one.CanonicalString) {
			t.Errorf("%q does not make %s", one.CanonicalString, one.Hash)
		}
	}
}

func TestSignatures(t *testing.T) {
	type signed struct {
		Name, Text, Message, Signature string
		PublicKey                      string `json:"public_key"`
	}
	valid := readVector[struct {
		PublicKey string `json:"public_key"`
		Signed    []signed
	}](t, "valid/signatures.json")
	for _, one := range valid.Signed {
		if !verifies(bytesOf(valid.PublicKey), []byte(one.Text), bytesOf(one.Signature)) {
			t.Errorf("%s does not verify", one.Name)
		}
	}
	for _, one := range readVector[struct{ Signed []signed }](t, "valid/signatures-odd.json").Signed {
		if !verifies(bytesOf(one.PublicKey), []byte(one.Message), bytesOf(one.Signature)) {
			t.Errorf("%s does not verify", one.Name)
		}
	}
	each(t, "invalid/signature-*.json", func(t *testing.T, one signed) {
		signature, err := hex.DecodeString(one.Signature)
		if err == nil && verifies(bytesOf(one.PublicKey), []byte(one.Message), signature) {
			t.Error("the signature verifies")
		}
	})
	type keys struct {
		Keys []string `json:"public_keys"`
	}
	refused := append(readVector[keys](t, "invalid/public-key-not-canonical.json").Keys,
		readVector[keys](t, "invalid/small-order-public-key.json").Keys...)
	for _, key := range refused {
		if strictKey(bytesOf(key)) {
			t.Errorf("%s is accepted as a key", key)
		}
	}
}

func TestKeccak(t *testing.T) {
	for text, sum := range map[string]string{
		"": "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
		"Attested(address,address,bytes32,bytes32)": attestedTopic,
		"Revoked(address,address,bytes32,bytes32)":  revokedTopic,
		strings.Repeat("a", 135):                    "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446",
		strings.Repeat("a", 136):                    "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e",
	} {
		if found := hex.EncodeToString(keccak256([]byte(text))); found != sum {
			t.Errorf("keccak256 of %d bytes is %s, want %s", len(text), found, sum)
		}
	}
}

func TestLogProofs(t *testing.T) {
	type proofVector struct {
		Name, Policy, Proof, Verdict string
		Time                         *int64
	}
	type etch struct {
		Hash   string
		UserID string `json:"user_id"`
	}
	forms := readVector[struct {
		Etch  etch
		Now   int64
		Cases []proofVector
	}](t, "valid/tlog-forms.json")
	for _, one := range forms.Cases {
		policy, err := ParsePolicy(one.Policy)
		if err != nil {
			t.Fatal(err)
		}
		found := LogProof(one.Proof, forms.Etch.Hash, forms.Etch.UserID, false, policy, forms.Now)
		if string(found.Verdict) != one.Verdict || one.Time != nil && *one.Time != found.Time {
			t.Errorf("%s: %+v, want %s", one.Name, found, one.Verdict)
		}
	}
	all := readVector[struct {
		Etch                etch
		Policy, Proof, Time string
		Consistency         struct {
			Old struct {
				Size int64
				Root string
			}
			Proof []string
		}
	}](t, "valid/tlog.json")
	policy, err := ParsePolicy(all.Policy)
	if err != nil {
		t.Fatal(err)
	}
	moment, _ := time.Parse(timeLayout, all.Time)
	found := LogProof(all.Proof, all.Etch.Hash, all.Etch.UserID, false, policy, moment.Unix())
	if found.Verdict != Pass || found.Time != moment.Unix() {
		t.Errorf("%+v, want %s", found, all.Time)
	}
	for at := range all.Proof { // every byte counts
		changed := []byte(all.Proof)
		changed[at] ^= 1
		found := LogProof(string(changed), all.Etch.Hash, all.Etch.UserID, false, policy, moment.Unix())
		if found.Verdict == Pass {
			t.Errorf("byte %d of the proof does not count: %+v", at, found)
		}
	}
	if found := LogProof(all.Proof, all.Etch.Hash, all.Etch.UserID, true, policy, moment.Unix()); found.Verdict != Fail {
		t.Errorf("the proof of an etch passes as that of its tombstone: %+v", found)
	}
	_, text, _ := strings.Cut(all.Proof, "\n\n")
	point, err := readCheckpoint(text)
	if err != nil {
		t.Fatal(err)
	}
	var path [][]byte
	for _, one := range all.Consistency.Proof {
		path = append(path, bytesOf(one))
	}
	old := all.Consistency.Old
	if !consistent(old.Size, point.size, bytesOf(old.Root), point.root, path) {
		t.Error("the checkpoints are not consistent")
	}
	path[0] = bytes.Repeat([]byte{1}, 32)
	if consistent(old.Size, point.size, bytesOf(old.Root), point.root, path) {
		t.Error("a changed consistency proof passes")
	}
}

type keptVector struct {
	Covered, Count int64
	Peaks          []string
}

func (k *keptVector) kept() *Kept {
	if k == nil {
		return nil
	}
	found := &Kept{Covered: k.Covered, Count: k.Count}
	for _, one := range k.Peaks {
		found.Peaks = append(found.Peaks, bytesOf(one))
	}
	return found
}

type readingVector struct {
	What, Why, Fault string
	Pages            []object
	Kept             *keptVector
	Covered, Count   int64
	Peaks            []string
}

func (r readingVector) read(userID string) (*Reading, error) {
	var pages []any
	for _, one := range r.Pages {
		pages = append(pages, one)
	}
	return Index(pages, userID, r.Kept.kept())
}

func TestIndexReadings(t *testing.T) {
	all := readVector[struct {
		Log []struct {
			Data   string
			Leaves []leafVector
		}
		Readings []readingVector
	}](t, "valid/account-index.json")
	for _, one := range all.Readings {
		found, err := one.read(textOf(one.Pages[0]["user_id"]))
		if err != nil {
			t.Errorf("%s: %v", one.What, err)
			continue
		}
		wanted := (&keptVector{Peaks: one.Peaks}).kept().Peaks
		if found.Kept.Covered != one.Covered || found.Kept.Count != one.Count ||
			one.Peaks != nil && !sameHashes(found.Kept.Peaks, wanted) {
			t.Errorf("%s: %+v", one.What, found.Kept)
		}
	}
	var log []logVector
	for _, entry := range all.Log {
		data, _ := splitData(bytesOf(entry.Data))
		if root, covered, ok := indexEntry(bytesOf(entry.Data)); ok {
			if covered != int64(len(log)) || !bytes.Equal(root, rootOf(log)) {
				t.Errorf("the index entry %d has another root or size", len(log))
			}
		}
		log = append(log, logVector{Kind: data.kind, Version: data.version, Leaves: entry.Leaves})
	}
}

func TestRefusedIndexReadings(t *testing.T) {
	all := readVector[struct {
		Malformed []struct {
			Why, Field string
			Answer     any
		}
		Readings []readingVector
	}](t, "invalid/account-index.json")
	for _, one := range all.Malformed {
		_, err := Index([]any{one.Answer}, "", nil)
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Error(), one.Field) {
			t.Errorf("%s: %v, want a refusal of %s", one.Why, err, one.Field)
		}
	}
	for _, one := range all.Readings {
		userID := "00000000-0000-4000-8000-000000000001"
		if len(one.Pages) > 0 && one.Fault != "user_id" {
			userID = textOf(one.Pages[0]["user_id"])
		}
		if _, err := one.read(userID); err == nil || !strings.Contains(err.Error(), one.Fault) {
			t.Errorf("%s: %v, want %s", one.Why, err, one.Fault)
		}
	}
}

type logVector struct {
	Kind, Version int64
	Leaves        []leafVector
}

// rootOf builds the map of all trees of version 2.
func rootOf(log []logVector) []byte {
	trees := map[string]*accountTree{}
	for index, one := range log {
		if one.Version != 2 || one.Kind > 1 {
			continue
		}
		leaves := map[string]leafVector{}
		var order []string
		for _, leaf := range one.Leaves {
			value := hex.EncodeToString(treeLeaf(2, userBytes(leaf.UserID), bytesOf(leaf.Hash)))
			leaves[value] = leaf
			order = append(order, value)
		}
		sort.Strings(order)
		for _, value := range order {
			leaf := leaves[value]
			key := hex.EncodeToString(userKey(leaf.UserID))
			if trees[key] == nil {
				trees[key] = &accountTree{}
			}
			trees[key].add(bytesOf(fmt.Sprintf("%016x%02x%s", index, one.Kind, leaf.Hash)))
		}
	}
	values := map[string][]byte{}
	for key, of := range trees {
		values[key] = mapValue(of.size, of.root())
	}
	return mapRoot(values)
}

func TestWorkedIndex(t *testing.T) {
	type proof struct {
		Why         string
		UserID      string  `json:"user_id"`
		MapRoot     string  `json:"map_root"`
		AccountRoot *string `json:"account_root"`
		Count       int64
		Path        []struct {
			Bit  byte
			Hash string
		}
		Entries []string
		Other   *struct{ Key, Value string }
		From    *struct {
			Count  int64
			Before []string
		}
	}
	all := readVector[struct {
		Cases []struct {
			Log       []logVector
			Size      int64
			MapRoot   string `json:"map_root"`
			EntryData string `json:"entry_data"`
			Proofs    []proof
		}
		Invalid []proof
	}](t, "valid/account-index-worked.json")
	check := func(of proof, root string) error {
		answer := &indexAnswer{userID: of.UserID, count: of.Count}
		if of.AccountRoot != nil {
			answer.accountRoot = bytesOf(*of.AccountRoot)
		}
		for _, step := range of.Path {
			answer.path = append(answer.path, indexStep{step.Bit, bytesOf(step.Hash)})
		}
		if of.Other != nil {
			answer.otherKey, answer.otherValue = bytesOf(of.Other.Key), bytesOf(of.Other.Value)
		}
		for _, one := range of.Entries {
			answer.entries = append(answer.entries, bytesOf(one))
		}
		if err := checkMap(answer, bytesOf(root)); err != nil {
			return err
		}
		_, _, err := readEntries([]*indexAnswer{answer}, mostNumber, nil)
		if of.From == nil || err != nil {
			return err
		}
		kept := (&keptVector{Count: of.From.Count, Peaks: of.From.Before}).kept()
		answer.from, answer.before, answer.entries = kept.Count, kept.Peaks, answer.entries[kept.Count:]
		_, _, err = readEntries([]*indexAnswer{answer}, mostNumber, kept)
		return err
	}
	for _, one := range all.Cases {
		if found := rootOf(one.Log); hex.EncodeToString(found) != one.MapRoot {
			t.Errorf("a map of %d trees has the root %x, want %s", one.Size, found, one.MapRoot)
		}
		root, covered, ok := indexEntry(bytesOf(one.EntryData))
		if !ok || covered != one.Size || hex.EncodeToString(root) != one.MapRoot {
			t.Errorf("the index entry of %d trees is not read", one.Size)
		}
		for _, of := range one.Proofs {
			if err := check(of, one.MapRoot); err != nil {
				t.Errorf("%s: %v", of.UserID, err)
			}
		}
	}
	for _, of := range all.Invalid {
		if check(of, of.MapRoot) == nil {
			t.Errorf("%s passes", of.Why)
		}
	}
}
