package verify

import (
	"bytes"
	"crypto/x509"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// Blocks says which hashes of blocks the reader trusts (section 4.8).
type Blocks struct {
	// Hashes are 0x and 64 hex digits in lower case. With nil, Ask is asked.
	Hashes []string
	// Ask reads the hash at a number from a node.
	Ask Ask
}

// Clocks are what the reader trusts to date evidence apart from the chain.
type Clocks struct {
	Headers      []Header            // blocks of Bitcoin, for OpenTimestamps
	Certificates []*x509.Certificate // time-stamping authorities
}

const (
	attestedTopic = "8bf46bf4cfd674fa735a3d63ec1c9ad4153f033c290341f3a588b75685141b35"
	revokedTopic  = "f930a6e2523c9cc298691873087a740550b8fc85a0680830414c148ed927f615"
)

func sized(length int) form {
	return matching(fmt.Sprintf("0x[0-9a-f]{%d}", 2*length), fmt.Sprintf("is not %d bytes in lower-case hex", length))
}

var (
	isPosition   = isInteger(0, 16_777_215)
	proofMembers = []member{
		{"header", isBytes}, {"transaction_index", isPosition},
		{"nodes", isListOf(1, 16, isBytes)}, {"log", isPosition},
	}
	isProofOfLog   = isExactly(proofMembers...)
	isProofOfClaim = isExactly(append([]member{{"preimage", isExactly(
		member{"schema", sized(32)}, member{"ref_uid", sized(32)},
		member{"recipient", sized(20)}, member{"attester", sized(20)},
		member{"time", isInteger(0, mostNumber)}, member{"expiration_time", isInteger(0, mostNumber)},
		member{"revocable", isTrueOrFalse}, member{"data", isBytes}, member{"bump", isInteger(0, 4_294_967_295)},
	)}}, proofMembers...)...)
	isWitness = isExactly(
		member{"of", isOneOf("commitment", "tombstone")},
		member{"kind", matching(`[a-z0-9-]{1,32}`, "is not 1 to 32 of a-z, 0-9 and -")}, member{"proof", isBytes},
	)
	isEvidence = isExactly(
		member{"_format", isOneOf("svc-evidence:v1")}, member{"receipt", func(string, any) {}},
		member{"commitment", isNullOr(isProofOfClaim)}, member{"tombstone", func(string, any) {}},
		member{"witnesses?", isListOf(1, 16, isWitness)},
		member{"wait?", matching(`[ -~]{1,200}`, "is not 1 to 200 characters from U+0020 to U+007E")},
	)
)

type evidence struct {
	receipt               *receipt
	commitment, tombstone object
	witnesses             []any
}

// readEvidence panics with a *Refusal.
func readEvidence(value any) *evidence {
	isEvidence("", value)
	all := value.(object)
	found := &evidence{receipt: readReceipt("receipt", all["receipt"]), commitment: asObject(all["commitment"])}
	ofKind1 := found.receipt.revocation != nil && found.receipt.revocation["kind"] != nil
	form := isProofOfLog
	if ofKind1 {
		form = isProofOfClaim
	}
	isNullOr(form)("tombstone", all["tombstone"])
	found.tombstone = asObject(all["tombstone"])
	if found.commitment != nil && found.receipt.chain["attestation_uid"] == nil {
		refuse("commitment", "is not null, though the etch is pending")
	}
	if found.tombstone != nil && (found.receipt.revocation == nil || found.commitment == nil) {
		refuse("tombstone", "is not null, without a revocation or a commitment")
	}
	missing := found.commitment == nil || found.receipt.revocation != nil && found.tombstone == nil
	if _, waits := all["wait"]; waits && !missing {
		refuse("wait", "is present, though no proof is missing")
	}
	found.witnesses, _ = all["witnesses"].([]any)
	for at, one := range found.witnesses {
		if one.(object)["of"] == "tombstone" && !ofKind1 {
			refuse(fmt.Sprintf("witnesses[%d].of", at), "is tombstone, and the receipt has none")
		}
	}
	return found
}

// Evidence checks an evidence file (section 4.8). formerly returns what the reader trusts for a chain that the service
// left. The error is a *Refusal.
func Evidence(
	data []byte, pins Pins, blocks Blocks, formerly func(chainID int64) (Pins, Blocks), clocks Clocks,
) (report Report, err error) {
	defer caught(&err)
	value, err := parseFile(data)
	if err != nil {
		return Report{}, &Refusal{Why: err.Error()}
	}
	found := readEvidence(value)
	// All forms first: a malformed witness refuses the whole file.
	var former []*evidence
	var unread []string
	kinds := map[any]bool{}
	for at, one := range found.witnesses {
		if witness := one.(object); witness["kind"] == "former-chain" {
			field := fmt.Sprintf("witnesses[%d].proof", at)
			former = append(former, readFormer(field, bytesOf(witness["proof"]), found.receipt))
		} else if kind := witness["kind"]; kind == "ots" || kind == "rfc3161" {
			kinds[kind] = true
		} else {
			unread = append(unread, textOf(witness["kind"]))
		}
	}
	report = judgeEvidence(found, pins, blocks)
	report.Unread = unread
	stated, _ := checkWords(found.receipt, "")
	note := func(kind string, checked Finding) *Finding {
		if !kinds[kind] {
			return nil
		}
		if checked.Verdict == Fail {
			report.Overall = Fail
		}
		return &checked
	}
	report.OTS = note("ots", checkOTS(found.receipt, found.witnesses, clocks.Headers, stated))
	report.TSA = note("rfc3161", checkStamps(found.receipt, found.witnesses, clocks.Certificates, stated))
	for _, one := range former {
		pins, blocks := formerly(integerOf(one.receipt.chain["chain_id"]))
		report.Former = append(report.Former, judgeEvidence(one, pins, blocks))
	}
	return report, nil
}

func readFormer(field string, data []byte, outer *receipt) (inner *evidence) {
	defer func() {
		var err error
		if caught(&err); err != nil {
			refuse(field, err.Error())
		}
	}()
	value, err := parseText(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		refuse("", err.Error())
	}
	inner = readEvidence(value)
	if inner.witnesses != nil {
		refuse("witnesses", "is present in evidence that is itself a witness")
	}
	if r := inner.receipt; r.etchID != outer.etchID || r.hash != outer.hash || r.userID != outer.userID {
		refuse("receipt", "is of another etch, hash or author")
	}
	return inner
}

func judgeEvidence(of *evidence, pins Pins, blocks Blocks) Report {
	trust, unpinned := pins.with(of.receipt)
	var commitment, tombstone *proven
	fault := error(nil)
	if of.commitment != nil {
		commitment, fault = proveClaim(of.commitment, trust, of.receipt.chain["attestation_uid"])
	}
	if of.tombstone != nil && fault == nil {
		if of.tombstone["preimage"] != nil {
			tombstone, fault = proveClaim(of.tombstone, trust, of.receipt.revocation["attestation_uid"])
		} else {
			tombstone, fault = proveRevocation(of.tombstone, trust, commitment, of.receipt.chain["attestation_uid"])
			if fault == nil {
				commitment.attested.revoked = tombstone.attested.time
			}
		}
	}
	unread := map[*proven]error{}
	for _, one := range []*proven{commitment, tombstone} {
		if one == nil || fault != nil {
			continue
		}
		if err := blocks.compare(one, trust.ChainID); contradicts(err) {
			fault = err
		} else if err != nil {
			unread[one] = err
		}
	}
	report := judge(of.receipt, pins, trust, unpinned, func(uid string) (*attested, error) {
		if fault != nil {
			return nil, contradiction{fault}
		}
		if commitment != nil && uid == of.receipt.chain["attestation_uid"] {
			if of.tombstone != nil && of.tombstone["preimage"] == nil && unread[tombstone] != nil {
				return nil, unread[tombstone]
			}
			return &commitment.attested, unread[commitment]
		}
		if tombstone != nil && of.tombstone["preimage"] != nil {
			return &tombstone.attested, unread[tombstone]
		}
		return nil, errors.New("the evidence has no proof of it yet")
	})
	if commitment != nil {
		report.Checks[2].Detail += "; a later revocation is not excluded"
	}
	return report
}

// proven is an attestation with the block that proves it.
type proven struct {
	attested     attested
	recipient    []byte
	blockHash    string
	number, time int64
}

// compare is step 9 of section 4.8.
func (b Blocks) compare(block *proven, chainID int64) error {
	if b.Hashes != nil {
		for _, hash := range b.Hashes {
			if hash == block.blockHash {
				return nil
			}
		}
		return contradict("the block %s is not among the given hashes", block.blockHash)
	}
	if b.Ask == nil {
		return fmt.Errorf("no source for the hash of block %d, %s", block.number, block.blockHash)
	}
	found, err := blockHash(b.Ask, chainID, block.number)
	if err != nil {
		return err
	}
	if found != block.blockHash {
		return contradict("the node has another block at %d", block.number)
	}
	return nil
}

// proveLog is steps 1 to 5 of section 4.8: the topics, the data and the block of a log by the pinned contract.
func proveLog(proof object, trust Pins) (topics [][]byte, data []byte, block *proven, err error) {
	raw := bytesOf(proof["header"])
	header, err := decodeRLP(raw)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(header.list) < 12 || len(header.list[5].bytes) != 32 {
		return nil, nil, nil, errors.New("the header has another form")
	}
	block = &proven{blockHash: "0x" + hex.EncodeToString(keccak256(raw))}
	if block.number, err = header.list[8].number(); err != nil {
		return nil, nil, nil, err
	}
	if block.time, err = header.list[11].number(); err != nil {
		return nil, nil, nil, err
	}
	key := encodeIndex(integerOf(proof["transaction_index"]))
	leaf, err := walkTrie(header.list[5].bytes, key, hashesOf(proof["nodes"]))
	if err != nil {
		return nil, nil, nil, err
	}
	if len(leaf) > 0 && leaf[0] < 0x80 {
		leaf = leaf[1:]
	}
	receipt, err := decodeRLP(leaf)
	if err != nil {
		return nil, nil, nil, err
	}
	if len(receipt.list) < 4 || !bytes.Equal(receipt.list[0].bytes, []byte{1}) || !receipt.list[3].isList {
		return nil, nil, nil, errors.New("the transaction failed, or its receipt has another form")
	}
	at := integerOf(proof["log"])
	if at >= int64(len(receipt.list[3].list)) {
		return nil, nil, nil, errors.New("the transaction has no such log")
	}
	log := receipt.list[3].list[at].list
	if len(log) != 3 || log[0].isList || !log[1].isList || log[2].isList ||
		!strings.EqualFold("0x"+hex.EncodeToString(log[0].bytes), trust.Contract) {
		return nil, nil, nil, errors.New("the log is not by the pinned contract")
	}
	for _, topic := range log[1].list {
		topics = append(topics, topic.bytes)
	}
	return topics, log[2].bytes, block, nil
}

var errTrie = errors.New("the nodes do not lead from the receipts root to the receipt")

// walkTrie is step 3 of section 4.8.
func walkTrie(root, key []byte, nodes [][]byte) ([]byte, error) {
	path := make([]byte, 0, 2*len(key))
	for _, b := range key {
		path = append(path, b>>4, b&15)
	}
	for at, raw := range nodes {
		node, err := decodeRLP(raw)
		if err != nil || !bytes.Equal(keccak256(raw), root) {
			return nil, errTrie
		}
		last := at == len(nodes)-1
		switch len(node.list) {
		case 17:
			if len(path) == 0 || last {
				return nil, errTrie
			}
			root, path = node.list[path[0]].bytes, path[1:]
		case 2:
			steps, leaf, ok := readPath(node.list[0].bytes)
			if !ok || !bytes.HasPrefix(path, steps) || leaf != last || node.list[1].isList ||
				leaf && len(steps) != len(path) {
				return nil, errTrie
			}
			if leaf {
				return node.list[1].bytes, nil
			}
			root, path = node.list[1].bytes, path[len(steps):]
		default:
			return nil, errTrie
		}
	}
	return nil, errTrie
}

// readPath reads the half bytes of an extension or a leaf.
func readPath(encoded []byte) (steps []byte, leaf, ok bool) {
	if len(encoded) == 0 || encoded[0] > 0x3f || encoded[0]&0x10 == 0 && encoded[0]&15 != 0 {
		return nil, false, false
	}
	if encoded[0]&0x10 != 0 {
		steps = append(steps, encoded[0]&15)
	}
	for _, b := range encoded[1:] {
		steps = append(steps, b>>4, b&15)
	}
	return steps, encoded[0]&0x20 != 0, true
}

func word(bytes []byte) []byte { return append(make([]byte, 32-len(bytes)), bytes...) }

func sameTopics(found [][]byte, wanted ...[]byte) error {
	if len(found) == len(wanted) {
		for at := range wanted {
			if !bytes.Equal(found[at], wanted[at]) {
				return errors.New("the log has other topics")
			}
		}
		return nil
	}
	return errors.New("the log has another number of topics")
}

// proveClaim is steps 5 to 7 of section 4.8.
func proveClaim(proof object, trust Pins, uid any) (*proven, error) {
	topics, logged, found, err := proveLog(proof, trust)
	if err != nil {
		return nil, err
	}
	of := proof["preimage"].(object)
	schema, attester, data := bytesOf(of["schema"]), bytesOf(of["attester"]), bytesOf(of["data"])
	found.recipient = bytesOf(of["recipient"])
	if err := sameTopics(topics, bytesOf(attestedTopic), word(found.recipient), word(attester), schema); err != nil {
		return nil, err
	}
	if integerOf(of["time"]) != found.time {
		return nil, errors.New("preimage.time is not the time of the block")
	}
	preimage := bytes.Join([][]byte{schema, found.recipient, attester}, nil)
	preimage = binary.BigEndian.AppendUint64(preimage, uint64(integerOf(of["time"])))
	preimage = binary.BigEndian.AppendUint64(preimage, uint64(integerOf(of["expiration_time"])))
	preimage = append(preimage, map[bool]byte{true: 1}[of["revocable"].(bool)])
	preimage = bytes.Join([][]byte{preimage, bytesOf(of["ref_uid"]), data}, nil)
	preimage = binary.BigEndian.AppendUint32(preimage, uint32(integerOf(of["bump"])))
	computed := keccak256(preimage)
	if !bytes.Equal(computed, logged) || "0x"+hex.EncodeToString(computed) != uid {
		return nil, errors.New("the preimage does not make the uid of the log and of the receipt")
	}
	found.attested = attested{
		schema: textOf(of["schema"]), attester: textOf(of["attester"]), time: found.time, data: data,
	}
	return found, nil
}

// proveRevocation is step 8 of section 4.8; the time of the result is that of the revocation.
func proveRevocation(proof object, trust Pins, commitment *proven, uid any) (*proven, error) {
	topics, logged, found, err := proveLog(proof, trust)
	if err != nil {
		return nil, err
	}
	schema, attester := bytesOf(commitment.attested.schema), bytesOf(commitment.attested.attester)
	if err := sameTopics(topics, bytesOf(revokedTopic), word(commitment.recipient), word(attester), schema); err != nil {
		return nil, err
	}
	if !bytes.Equal(logged, bytesOf(uid)) {
		return nil, errors.New("the log revokes another attestation")
	}
	if found.time < commitment.time {
		return nil, errors.New("the revocation is before the attestation")
	}
	found.attested.time = found.time
	return found, nil
}
