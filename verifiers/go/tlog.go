package verify

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
)

// The first byte of a key in a C2SP verifier key, and the length of the key behind it.
const (
	logKind     = 1
	witnessKind = 4
	mlDSAKind   = 6
)

var keyLengths = map[byte]int{logKind: 32, witnessKind: 32, mlDSAKind: 1312}

// verifierKey is <name>+<id>+<base64 of kind and key>.
type verifierKey struct {
	name string
	id   uint32
	kind byte
	key  []byte
}

func decodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err == nil && base64.StdEncoding.EncodeToString(data) != text {
		err = errors.New("the base64 is not canonical")
	}
	return data, err
}

func readKey(text string, kinds ...byte) (verifierKey, error) {
	wrong := fmt.Errorf("%q is no verifier key of this kind", text)
	parts := strings.SplitN(text, "+", 3)
	if len(parts) < 3 {
		return verifierKey{}, wrong
	}
	data, err := decodeBase64(parts[2])
	if err != nil || len(data) == 0 || len(data) != 1+keyLengths[data[0]] || !bytes.Contains(kinds, data[:1]) {
		return verifierKey{}, wrong
	}
	sum := sha([]byte(parts[0]), []byte("\n"), data)[:4]
	if !isKeyName(parts[0]) || hex.EncodeToString(sum) != parts[1] {
		return verifierKey{}, wrong
	}
	return verifierKey{parts[0], binary.BigEndian.Uint32(sum), data[0], data[1:]}, nil
}

// isKeyName: the white space of strings.Fields is Unicode's White_Space.
func isKeyName(name string) bool {
	fields := strings.Fields(name)
	return len(fields) == 1 && fields[0] == name && !strings.Contains(name, "+")
}

// Policy is a C2SP tlog-policy: logs, witnesses and the quorum that the reader trusts.
type Policy struct {
	logs      []verifierKey
	witnesses map[string]verifierKey
	groups    map[string]group
	quorum    string
}

type group struct {
	needs   int
	members []string
}

const mostPolicyLines = 1000

var (
	policyControl = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f]`)
	groupNumber   = regexp.MustCompile(`^[1-9][0-9]{0,8}$`)
)

// ParsePolicy reads a policy.
func ParsePolicy(text string) (*Policy, error) {
	if !utf8.ValidString(text) || policyControl.MatchString(text) {
		return nil, errors.New("the policy is not a text in UTF-8")
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > mostPolicyLines {
		return nil, errors.New("the policy has more than 1,000 lines")
	}
	policy := &Policy{witnesses: map[string]verifierKey{}, groups: map[string]group{}}
	for at, line := range lines {
		words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		if err := policy.add(words[0], words[1:]); err != nil {
			return nil, fmt.Errorf("line %d of the policy: %w", at+1, err)
		}
	}
	if policy.quorum == "" {
		return nil, errors.New("the policy has no quorum")
	}
	return policy, nil
}

func (p *Policy) knows(name string) bool {
	_, witness := p.witnesses[name]
	_, group := p.groups[name]
	return witness || group
}

func (p *Policy) add(kind string, words []string) (err error) {
	errLine := errors.New("the line has another form, or repeats a name or a key")
	switch {
	case kind == "log" && (len(words) == 1 || len(words) == 2):
		key, err := readKey(words[0], logKind)
		for _, other := range p.logs {
			if bytes.Equal(other.key, key.key) {
				return errLine
			}
		}
		p.logs = append(p.logs, key)
		return err
	case kind == "witness" && (len(words) == 2 || len(words) == 3) && !p.knows(words[0]) && words[0] != "none":
		key, err := readKey(words[1], witnessKind, mlDSAKind)
		for _, other := range p.witnesses {
			if bytes.Equal(other.key, key.key) {
				return errLine
			}
		}
		p.witnesses[words[0]] = key
		return err
	case kind == "group" && len(words) > 2 && !p.knows(words[0]) && words[0] != "none":
		members := words[2:]
		needs := map[string]int{"all": len(members), "any": 1}[words[1]]
		if groupNumber.MatchString(words[1]) {
			needs, _ = strconv.Atoi(words[1])
		}
		if needs < 1 || needs > len(members) {
			return errLine
		}
		for _, member := range members {
			if !p.knows(member) || p.hasMember(member) {
				return errLine
			}
			p.groups[words[0]] = group{needs, append(p.groups[words[0]].members, member)}
		}
		return nil
	case kind == "quorum" && len(words) == 1 && p.quorum == "" && (p.knows(words[0]) || words[0] == "none"):
		p.quorum = words[0]
		return nil
	}
	return errLine
}

func (p *Policy) hasMember(name string) bool {
	for _, one := range p.groups {
		for _, member := range one.members {
			if member == name {
				return true
			}
		}
	}
	return false
}

const never = math.MaxInt64

func (p *Policy) reached(name string, times map[string]int64) int64 {
	of, isGroup := p.groups[name]
	if !isGroup {
		if moment, found := times[name]; found {
			return moment
		}
		return never
	}
	var moments []int64
	for _, member := range of.members {
		moments = append(moments, p.reached(member, times))
	}
	sort.Slice(moments, func(a, b int) bool { return moments[a] < moments[b] })
	return moments[of.needs-1]
}

// checkpoint is a signed note of a log.
type checkpoint struct {
	origin string
	size   int64
	root   []byte
	body   string
	signed []note.Signature
}

const mostSignatures = 64

var wholeCount = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,15})$`)

func readCount(text string) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || !wholeCount.MatchString(text) || number > mostNumber {
		return 0, fmt.Errorf("%q is no number of the log", text)
	}
	return number, nil
}

// readCheckpoint reads a note without a check of its signatures.
func readCheckpoint(text string) (*checkpoint, error) {
	// No verifier is known to Open, so it returns each signature as unverified.
	_, err := note.Open([]byte(text), note.VerifierList())
	var opened *note.UnverifiedNoteError
	if !errors.As(err, &opened) {
		return nil, errors.New("the checkpoint is no signed note")
	}
	signed := opened.Note.UnverifiedSigs
	if len(signed) > mostSignatures || utf8.RuneCountInString(text) > 100_000 {
		return nil, errors.New("the checkpoint has more than 64 signatures or 100,000 characters")
	}
	for _, one := range signed {
		if _, err := decodeBase64(one.Base64); err != nil {
			return nil, err
		}
	}
	lines := strings.Split(strings.TrimSuffix(opened.Note.Text, "\n"), "\n")
	if len(lines) < 3 || lines[0] == "" {
		return nil, errors.New("the note is no checkpoint")
	}
	for _, line := range lines {
		if line == "" {
			return nil, errors.New("the checkpoint has an empty line")
		}
	}
	size, err := readCount(lines[1])
	if err != nil {
		return nil, err
	}
	root, err := decodeBase64(lines[2])
	if err != nil || len(root) != 32 {
		return nil, errors.New("the root of the checkpoint is not 32 bytes")
	}
	return &checkpoint{lines[0], size, root, opened.Note.Text, signed}, nil
}

// signatures are those of one key.
func (c *checkpoint) signatures(of verifierKey) (found [][]byte) {
	for _, one := range c.signed {
		if one.Name == of.name && one.Hash == of.id {
			data, _ := decodeBase64(one.Base64)
			found = append(found, data[4:])
		}
	}
	return found
}

// signedBy reports whether one of the keys of the checkpoint's log signed it. A wrong signature of one is an error.
func (c *checkpoint) signedBy(keys []verifierKey) error {
	signed := false
	for _, key := range keys {
		if key.name != c.origin {
			continue
		}
		for _, signature := range c.signatures(key) {
			if !verifies(key.key, []byte(c.body), signature) {
				return fmt.Errorf("the signature of the log %s is wrong", key.name)
			}
			signed = true
		}
	}
	if !signed {
		return errors.New("no trusted key of the log signed the checkpoint")
	}
	return nil
}

// cosigned returns the times of the cosignatures that count, in seconds, and the witnesses that were not checked.
func (c *checkpoint) cosigned(policy *Policy, now int64) (times map[string]int64, unread []string, err error) {
	times = map[string]int64{}
	for name, key := range policy.witnesses {
		for _, signature := range c.signatures(key) {
			if key.kind == mlDSAKind {
				unread = append(unread, name)
				continue
			}
			if len(signature) != 72 {
				return nil, nil, fmt.Errorf("the cosignature of %s is wrong", name)
			}
			moment := binary.BigEndian.Uint64(signature)
			message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", moment, c.body)
			if !verifies(key.key, []byte(message), signature[8:]) {
				return nil, nil, fmt.Errorf("the cosignature of %s is wrong", name)
			}
			if moment == 0 || moment > mostNumber || int64(moment) > now+60 {
				continue
			}
			if earlier, found := times[name]; !found || int64(moment) < earlier {
				times[name] = int64(moment)
			}
		}
	}
	return times, unread, nil
}

// LogReport is the outcome of LogProof.
type LogReport struct {
	Verdict Verdict
	Detail  string
	// Time is when the quorum had seen the tree, in seconds since 1970; 0 without a quorum.
	Time int64
	// Unread names the witnesses that cosigned with ML-DSA-44, which this package neither checks nor counts.
	Unread []string
}

// LogProof checks a proof of an etch, or of its tombstone, in the log of trees (section 4.17). now is in seconds.
func LogProof(proof, hash, userID string, tombstone bool, policy *Policy, now int64) LogReport {
	point, err := checkLogProof(proof, hash, userID, tombstone)
	if err == nil {
		err = point.signedBy(policy.logs)
	}
	if err != nil {
		return LogReport{Verdict: Fail, Detail: err.Error()}
	}
	return point.quorum(policy, now)
}

func (c *checkpoint) quorum(policy *Policy, now int64) LogReport {
	times, unread, err := c.cosigned(policy, now)
	if err != nil {
		return LogReport{Verdict: Fail, Detail: err.Error()}
	}
	if policy.quorum == "none" {
		return LogReport{Verdict: Pass, Detail: "the log signed it; the policy asks for no witness", Unread: unread}
	}
	seen := policy.reached(policy.quorum, times)
	if seen == never {
		return LogReport{Verdict: Wait, Detail: "the cosignatures do not reach the quorum of the policy", Unread: unread}
	}
	return LogReport{Pass, "the quorum of the policy had seen it at " + showSeconds(seen), seen, unread}
}

var errLogProof = errors.New("the file is no proof of the log of trees")

func checkLogProof(proof, hash, userID string, tombstone bool) (*checkpoint, error) {
	head, text, found := strings.Cut(proof, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || len(lines) > 3+63 || lines[0] != "c2sp.org/tlog-proof@v1" ||
		!strings.HasPrefix(lines[1], "extra ") || !strings.HasPrefix(lines[2], "index ") {
		return nil, errLogProof
	}
	extra, err := decodeBase64(lines[1][6:])
	if err != nil || len(extra) < 128 || len(extra)%32 != 0 || len(extra) > 128+14*32 {
		return nil, errLogProof
	}
	index, err := readCount(lines[2][6:])
	if err != nil {
		return nil, err
	}
	var inclusion [][]byte
	for _, line := range lines[3:] {
		one, err := decodeBase64(line)
		if err != nil || len(one) != 32 {
			return nil, errLogProof
		}
		inclusion = append(inclusion, one)
	}
	entry := extra[:128]
	data, ok := readData(entry)
	kind := map[bool]int64{true: 1}[tombstone]
	if !ok || data.kind != kind || data.version == 0 && data.kind != 0 {
		return nil, errors.New("the entry is no tree of this kind")
	}
	var path [][]byte
	for at := 128; at < len(extra); at += 32 {
		path = append(path, extra[at:at+32])
	}
	leaf := bytesOf(hash)
	if data.version != 0 {
		leaf = treeLeaf(data.version, userBytes(userID), leaf)
	}
	if !possibleLength(len(path), data.size) || !bytes.Equal(foldProof(leaf, path), data.root) {
		return nil, errors.New("the entry is of a tree without this etch")
	}
	point, err := readCheckpoint(text)
	if err != nil {
		return nil, err
	}
	if !included(sha([]byte{0}, entry), index, point.size, inclusion, point.root) {
		return nil, errors.New("the entry is not in the log of the checkpoint")
	}
	return point, nil
}

func logNode(left, right []byte) []byte { return sha([]byte{1}, left, right) }

// included is the inclusion proof of RFC 6962 (RFC 9162, section 2.1.3.2).
func included(leaf []byte, index, size int64, proof [][]byte, root []byte) bool {
	if index >= size {
		return false
	}
	last := size - 1
	for _, one := range proof {
		if last == 0 {
			return false
		}
		if index&1 == 1 || index == last {
			leaf = logNode(one, leaf)
			for index&1 == 0 && index != 0 {
				index, last = index>>1, last>>1
			}
		} else {
			leaf = logNode(leaf, one)
		}
		index, last = index>>1, last>>1
	}
	return last == 0 && bytes.Equal(leaf, root)
}

// consistent is the consistency proof of RFC 6962 (RFC 9162, section 2.1.4.2) between two sizes.
func consistent(old, size int64, oldRoot, root []byte, proof [][]byte) bool {
	if old == 0 || old == size {
		return len(proof) == 0 && old <= size && (old == 0 || bytes.Equal(oldRoot, root))
	}
	if old > size {
		return false
	}
	if old&(old-1) == 0 {
		proof = append([][]byte{oldRoot}, proof...)
	}
	if len(proof) == 0 {
		return false
	}
	at, last := old-1, size-1
	for at&1 == 1 {
		at, last = at>>1, last>>1
	}
	first, second := proof[0], proof[0]
	for _, one := range proof[1:] {
		if last == 0 {
			return false
		}
		if at&1 == 1 || at == last {
			first, second = logNode(one, first), logNode(one, second)
			for at&1 == 0 && at != 0 {
				at, last = at>>1, last>>1
			}
		} else {
			second = logNode(second, one)
		}
		at, last = at>>1, last>>1
	}
	return last == 0 && bytes.Equal(first, oldRoot) && bytes.Equal(second, root)
}

// CheckCheckpoint checks the signatures of a checkpoint: by one of the keys of the log, which are C2SP verifier keys,
// and with a policy as in LogProof.
func CheckCheckpoint(text string, keys []string, policy *Policy, now int64) LogReport {
	point, err := readCheckpoint(text)
	var trusted []verifierKey
	if policy != nil {
		trusted = append(trusted, policy.logs...)
	}
	for _, one := range keys {
		key, keyErr := readKey(one, logKind)
		if err == nil {
			err = keyErr
		}
		trusted = append(trusted, key)
	}
	if err == nil {
		err = point.signedBy(trusted)
	}
	if err != nil {
		return LogReport{Verdict: Fail, Detail: err.Error()}
	}
	if policy == nil {
		return LogReport{Verdict: Pass, Detail: "a trusted key of the log signed the checkpoint"}
	}
	return point.quorum(policy, now)
}
