package verify

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"sort"
)

// Kept is what a reader keeps of a reading of the index of accounts (section 4.18).
type Kept struct {
	Covered int64    // log entries that the index covered
	Count   int64    // entries of the account
	Peaks   [][]byte // roots of the perfect subtrees of these entries, largest first
}

// IndexEntry is an entry of an account: one leaf in one tree.
type IndexEntry struct {
	LogIndex int64
	Kind     byte // 0 commits, 1 retracts
	Hash     []byte
}

type indexStep struct {
	bit  byte
	hash []byte
}

type indexAnswer struct {
	userID, checkpoint    string
	logIndex, count, from int64
	data, accountRoot     []byte
	proof, before         [][]byte
	path                  []indexStep
	otherKey, otherValue  []byte
	entries               [][]byte
	more                  bool
}

var (
	isEntryHex = matching(`[0-9a-f]{16}0[01][0-9a-f]{64}`, "is no entry of an account")
	isIndex    = isObject(
		member{"user_id", isUUID},
		member{"checkpoint", func(field string, value any) {
			isText(field, value)
			if _, err := readCheckpoint(textOf(value)); err != nil {
				refuse(field, err.Error())
			}
		}},
		member{"index", isObject(
			member{"log_index", isInteger(0, mostNumber)},
			member{"data", matching(`[0-9a-f]{256}`, "is not 128 bytes in lower-case hex")},
			member{"proof", isListOf(0, 63, isHash)},
		)},
		member{"count", isInteger(0, mostNumber)}, member{"account_root", isNullOr(isHash)},
		member{"path", isListOf(0, 256, isObject(member{"bit", isInteger(0, 255)}, member{"hash", isHash}))},
		member{"other", isNullOr(isObject(
			member{"key", isHash}, member{"value", matching(`[0-9a-f]{80}`, "is not 40 bytes in lower-case hex")},
		))},
		member{"from", isInteger(0, mostNumber)}, member{"before", isListOf(0, 63, isHash)},
		member{"entries", isListOf(0, 1000, func(field string, value any) {
			isEntryHex(field, value)
			if bytesOf(value)[0] > 0 || binary.BigEndian.Uint64(bytesOf(value)) > mostNumber {
				refuse(field, "has a log index above 2^53 - 1")
			}
		})},
		member{"more", isTrueOrFalse},
	)
)

// readIndexAnswer panics with a *Refusal.
func readIndexAnswer(value any) *indexAnswer {
	if asObject(value) == nil {
		refuse("", "the answer is not an object")
	}
	isIndex("", value)
	all := value.(object)
	index, other := all["index"].(object), asObject(all["other"])
	found := &indexAnswer{
		userID: textOf(all["user_id"]), checkpoint: textOf(all["checkpoint"]), logIndex: integerOf(index["log_index"]),
		count: integerOf(all["count"]), from: integerOf(all["from"]), data: bytesOf(index["data"]),
		proof: hashesOf(index["proof"]), before: hashesOf(all["before"]), entries: hashesOf(all["entries"]),
		more: all["more"].(bool),
	}
	if found.from > found.count {
		refuse("from", "is above count")
	}
	if (all["account_root"] == nil) != (found.count == 0) {
		refuse("account_root", "is null exactly when count is 0")
	}
	if other != nil && found.count > 0 {
		refuse("other", "is not null, though the account has entries")
	}
	if found.count > 0 {
		found.accountRoot = bytesOf(all["account_root"])
	}
	if other != nil {
		found.otherKey, found.otherValue = bytesOf(other["key"]), bytesOf(other["value"])
	}
	for _, one := range all["path"].([]any) {
		step := one.(object)
		found.path = append(found.path, indexStep{byte(integerOf(step["bit"])), bytesOf(step["hash"])})
	}
	return found
}

// indexEntry reads the data of an index entry: the root of the map and the covered size.
func indexEntry(data []byte) (root []byte, covered int64, ok bool) {
	found, ok := splitData(data)
	return found.root, found.size, ok && found.kind == 2 && found.version == 1
}

func keyBit(key []byte, bit byte) int { return int(key[bit/8]>>(7-bit%8)) & 1 }

func mapLeaf(key, value []byte) []byte { return sha([]byte{2}, key, value) }

func mapNode(bit byte, left, right []byte) []byte { return sha([]byte{3, bit}, left, right) }

func climb(key, value []byte, path []indexStep) []byte {
	node := mapLeaf(key, value)
	for _, step := range path {
		if keyBit(key, step.bit) == 0 {
			node = mapNode(step.bit, node, step.hash)
		} else {
			node = mapNode(step.bit, step.hash, node)
		}
	}
	return node
}

func mapValue(count int64, root []byte) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(count)), root...)
}

func userKey(userID string) []byte { return sha(userBytes(userID)) }

// mapRoot is the root of the map over all accounts with entries: their values by the key in hex.
func mapRoot(values map[string][]byte) []byte {
	if len(values) == 0 {
		return make([]byte, 32)
	}
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	var root func(keys []string) []byte
	root = func(keys []string) []byte {
		first, last := bytesOf(keys[0]), bytesOf(keys[len(keys)-1])
		if len(keys) == 1 {
			return mapLeaf(first, values[keys[0]])
		}
		bit := 0
		for keyBit(first, byte(bit)) == keyBit(last, byte(bit)) {
			bit++
		}
		cut := sort.Search(len(keys), func(at int) bool { return keyBit(bytesOf(keys[at]), byte(bit)) == 1 })
		return mapNode(byte(bit), root(keys[:cut]), root(keys[cut:]))
	}
	return root(keys)
}

// accountTree is the RFC 6962 tree over the entries of an account.
type accountTree struct {
	size  int64
	peaks [][]byte
}

func (t *accountTree) add(entry []byte) {
	node := sha([]byte{0}, entry)
	for full := t.size; full&1 == 1; full >>= 1 {
		node = logNode(t.peaks[len(t.peaks)-1], node)
		t.peaks = t.peaks[:len(t.peaks)-1]
	}
	t.peaks = append(append([][]byte{}, t.peaks...), node)
	t.size++
}

func (t *accountTree) root() []byte {
	if t.size == 0 {
		return nil
	}
	node := t.peaks[len(t.peaks)-1]
	for at := len(t.peaks) - 2; at >= 0; at-- {
		node = logNode(t.peaks[at], node)
	}
	return node
}

func sameHashes(a, b [][]byte) bool {
	return bytes.Equal(bytes.Join(a, nil), bytes.Join(b, nil)) && len(a) == len(b)
}

// Reading is what a checked reading of the index proves.
type Reading struct {
	UserID     string
	Checkpoint string
	Entries    []IndexEntry // those after the kept ones
	Kept       Kept         // what the reader keeps for the next reading
}

// Index checks steps 2 to 4 of section 4.18 of all answers of one reading, in their order. Values come from JSON. The
// caller checks the signatures of the checkpoint, and that it is consistent with the last one.
func Index(answers []any, userID string, kept *Kept) (reading *Reading, err error) {
	defer caught(&err)
	if len(answers) == 0 {
		return nil, fmt.Errorf("a reading has at least one answer")
	}
	var pages []*indexAnswer
	for _, one := range answers {
		pages = append(pages, readIndexAnswer(one))
	}
	first := pages[0]
	if first.userID != userID {
		return nil, fmt.Errorf("user_id is %s, not %s", first.userID, userID)
	}
	root, covered, err := checkIndexEntry(first, kept)
	if err != nil {
		return nil, err
	}
	if err := checkMap(first, root); err != nil {
		return nil, err
	}
	entries, tree, err := readEntries(pages, covered, kept)
	if err != nil {
		return nil, err
	}
	return &Reading{first.userID, first.checkpoint, entries, Kept{covered, first.count, tree.peaks}}, nil
}

// checkIndexEntry is step 2.
func checkIndexEntry(first *indexAnswer, kept *Kept) ([]byte, int64, error) {
	root, covered, ok := indexEntry(first.data)
	point, err := readCheckpoint(first.checkpoint)
	switch {
	case err != nil:
		return nil, 0, err
	case !ok:
		return nil, 0, fmt.Errorf("index.data is not an index entry")
	case covered > first.logIndex:
		return nil, 0, fmt.Errorf("the index covers %d entries, and %d are before it", covered, first.logIndex)
	case kept != nil && covered < kept.Covered:
		return nil, 0, fmt.Errorf("the index covers %d entries, and an earlier one had covered %d", covered, kept.Covered)
	case !included(sha([]byte{0}, first.data), first.logIndex, point.size, first.proof, point.root):
		return nil, 0, fmt.Errorf("index.proof does not lead to the root of the checkpoint")
	}
	return root, covered, nil
}

// checkMap is step 3.
func checkMap(first *indexAnswer, root []byte) error {
	for at := 1; at < len(first.path); at++ {
		if first.path[at].bit >= first.path[at-1].bit {
			return fmt.Errorf("the bits of the path do not fall")
		}
	}
	key := userKey(first.userID)
	switch {
	case first.count > 0:
		if !bytes.Equal(climb(key, mapValue(first.count, first.accountRoot), first.path), root) {
			return fmt.Errorf("path does not lead from the account's leaf to the root of the map")
		}
	case first.otherKey == nil:
		if len(first.path) > 0 || !allZero(root) {
			return fmt.Errorf("other is null, and the map is not empty")
		}
	default:
		if bytes.Equal(first.otherKey, key) {
			return fmt.Errorf("the map shows that the account has entries")
		}
		for _, step := range first.path {
			if keyBit(first.otherKey, step.bit) != keyBit(key, step.bit) {
				return fmt.Errorf("the search for the account does not end at other")
			}
		}
		if !bytes.Equal(climb(first.otherKey, first.otherValue, first.path), root) {
			return fmt.Errorf("other and path do not lead to the root of the map")
		}
	}
	return nil
}

func keptCount(kept *Kept) int64 {
	if kept == nil {
		return 0
	}
	return kept.Count
}

// readEntries is step 4. A reader that kept an earlier reading may read all entries again.
func readEntries(pages []*indexAnswer, covered int64, kept *Kept) (found []IndexEntry, tree *accountTree, err error) {
	first := pages[0]
	earlier := int64(-1)
	if kept != nil {
		if first.count < kept.Count {
			return nil, nil, fmt.Errorf("%d of the entries of the earlier reading are missing", kept.Count-first.count)
		}
		earlier = kept.Covered
	}
	if first.from != 0 && (kept == nil || first.from != kept.Count) {
		return nil, nil, fmt.Errorf("a reading begins after 0 entries or the kept ones, not after %d", first.from)
	}
	if len(first.before) != bits.OnesCount64(uint64(first.from)) {
		return nil, nil, fmt.Errorf("before has %d perfect subtrees for %d entries", len(first.before), first.from)
	}
	errKept := fmt.Errorf("the entries of the earlier reading are other ones")
	if kept != nil && first.from == kept.Count && !sameHashes(first.before, kept.Peaks) {
		return nil, nil, errKept
	}
	tree = &accountTree{first.from, first.before}
	for at, page := range pages {
		fault := func(format string, values ...any) ([]IndexEntry, *accountTree, error) {
			return nil, nil, fmt.Errorf("page %d: "+format, append([]any{at + 1}, values...)...)
		}
		switch last := at == len(pages)-1; {
		case page.userID != first.userID:
			return fault("user_id is another one")
		case page.checkpoint != first.checkpoint:
			return fault("checkpoint is another one")
		case page.count != first.count || !bytes.Equal(page.data, first.data) ||
			!bytes.Equal(page.accountRoot, first.accountRoot):
			return fault("index or count is another one")
		case page.from != tree.size:
			return fault("from is %d, not %d", page.from, tree.size)
		case at > 0 && !sameHashes(page.before, tree.peaks):
			return fault("before is not made of the entries before it")
		default:
			for _, raw := range page.entries {
				entry := IndexEntry{int64(binary.BigEndian.Uint64(raw)), raw[8], raw[9:]}
				switch {
				case entry.LogIndex >= covered:
					return fault("the index does not cover the tree %d", entry.LogIndex)
				case tree.size >= keptCount(kept) && entry.LogIndex < earlier:
					return fault("the earlier index covered the tree %d, without it", entry.LogIndex)
				case len(found) > 0 && entry.LogIndex < found[len(found)-1].LogIndex:
					return fault("the entries are out of order")
				}
				found = append(found, entry)
				tree.add(raw)
				if kept != nil && tree.size == kept.Count && !sameHashes(tree.peaks, kept.Peaks) {
					return nil, nil, errKept
				}
			}
			if last && tree.size != page.count || page.more == last {
				return fault("%d entries of %d", tree.size, page.count)
			}
		}
	}
	if hex.EncodeToString(tree.root()) != hex.EncodeToString(first.accountRoot) {
		return nil, nil, fmt.Errorf("the entries do not make account_root")
	}
	return found, tree, nil
}

// IndexFiles is Index for answers as the service sent them, for the account that the first one names.
func IndexFiles(files [][]byte) (*Reading, error) {
	var answers []any
	for _, data := range files {
		value, err := parseFile(data)
		if err != nil {
			return nil, err
		}
		answers = append(answers, value)
	}
	return Index(answers, textOf(asObject(answers[0])["user_id"]), nil)
}
