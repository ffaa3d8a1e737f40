package verify

import "strings"

// tree is the inclusion or the revocation of a receipt, or what replaces the inclusion of a tree-less etch.
type tree struct {
	root    string
	proof   [][]byte
	version int64
	size    int64
}

// receipt is a receipt of section 3.1 whose form was checked.
type receipt struct {
	etchID, status, userID, hash string
	words                        *string
	inclusion, tombstone         *tree // the tombstone of kind 1 that is attested
	revocation, signature, chain object
	former                       int
}

var (
	treeMembers = []member{
		{"root", isHash}, {"proof", isListOf(0, 14, isHash)},
		{"tree_size", isInteger(1, 10_000)}, {"tree_version", isOneOf(1.0, 2.0)},
	}
	isInclusion  = isObject(append([]member{{"leaf_rule", isText}, {"node_rule", isText}}, treeMembers...)...)
	isRevocation = isObject(
		member{"retracted_at", isTime}, member{"kind", isOneOf(1.0, nil)},
		member{"attestation_uid", isNullOr(isUID)}, member{"tx_hash", isNullOr(isUID)},
	)
	isChain = isObject(
		member{"name", isText}, member{"chain_id", isInteger(1, mostNumber)},
		member{"attestation_contract", isAddress}, member{"schema_uid", isUID},
		member{"attestation_uid", isNullOr(isUID)}, member{"expect_onchain", isNullOr(isHash)},
		member{"relayer", isAddress}, member{"tx_hash", isNullOr(isUID)}, member{"anchored_at", isNullOr(isTime)},
	)
	isReceipt = isObject(
		member{"_format", isOneOf("svc-receipt:v1")}, member{"_what_this_is", isText},
		member{"_verify_without_etch", isText}, member{"etch_id", isUUID},
		member{"status", isOneOf("sealed", "revealed", "retracted")},
		member{"author", isObject(member{"user_id", isUUID}, member{"username", isText})},
		member{"canonical_string", isNullOr(isText)}, member{"hash", isHash},
		member{"inclusion", isNullOr(isInclusion)}, member{"revocation", isNullOr(isRevocation)},
		member{"signature", isNullOr(isObject(member{"value", isSignature}, member{"public_key", isHash}))},
		member{"chain", isChain}, member{"former?", isListOf(0, mostBytes, isChain)},
	)
)

// readReceipt panics with a *Refusal.
func readReceipt(field string, value any) *receipt {
	isReceipt(field, value)
	all := value.(object)
	chain, revocation := all["chain"].(object), asObject(all["revocation"])
	need := func(truth bool, name, why string) {
		if !truth {
			refuse(fieldOf(field, name), why)
		}
	}
	status := textOf(all["status"])
	need((all["canonical_string"] != nil) == (status == "revealed"), "canonical_string", "contradicts the status")
	need(status == "revealed" || all["signature"] == nil, "signature", "is not null, though there are no words")
	need(status == "retracted" || revocation == nil, "revocation", "is not null, though the etch is not retracted")
	if chain["attestation_uid"] == nil {
		need(all["inclusion"] == nil, "inclusion", "is not null, though the etch is pending")
		for _, name := range []string{"expect_onchain", "tx_hash", "anchored_at"} {
			need(chain[name] == nil, "chain."+name, "is not null, though the etch is pending")
		}
	} else {
		need(chain["expect_onchain"] != nil, "chain.expect_onchain", "is null, though there is an attestation")
	}
	found := &receipt{
		etchID: textOf(all["etch_id"]), status: status, hash: textOf(all["hash"]), chain: chain,
		userID:     textOf(all["author"].(object)["user_id"]),
		revocation: revocation, signature: asObject(all["signature"]),
	}
	if words, ok := all["canonical_string"].(string); ok {
		found.words = &words
	}
	if inclusion := asObject(all["inclusion"]); inclusion != nil {
		found.inclusion = treeOf(inclusion)
	}
	if revocation != nil {
		attested := revocation["attestation_uid"] != nil
		need(attested || revocation["tx_hash"] == nil, "revocation.tx_hash",
			"is not null, though the retraction is pending")
		if revocation["kind"] != nil {
			found.tombstone = readTombstone(fieldOf(field, "revocation"), revocation, attested)
		}
	}
	if former, ok := all["former"].([]any); ok {
		found.former = len(former)
	}
	return found
}

func readTombstone(field string, revocation object, attested bool) *tree {
	if attested {
		isObject(treeMembers...)(field, revocation)
		return treeOf(revocation)
	}
	for _, one := range treeMembers {
		isObject(member{one.name, isOneOf(nil)})(field, revocation)
	}
	return nil
}

func asObject(value any) object {
	found, _ := value.(object)
	return found
}

func treeOf(of object) *tree {
	return &tree{
		root: textOf(of["root"]), proof: hashesOf(of["proof"]),
		version: integerOf(of["tree_version"]), size: integerOf(of["tree_size"]),
	}
}

// committed is the tree of the etch; a tree-less one has version 0 and size 1 (section 4.5).
func (r *receipt) committed() *tree {
	if r.inclusion != nil {
		return r.inclusion
	}
	return &tree{root: r.hash, size: 1}
}

// lower is a member of the chain in lower case, as addresses are compared.
func (r *receipt) lower(name string) string { return strings.ToLower(textOf(r.chain[name])) }
