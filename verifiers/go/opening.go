package verify

import (
	"fmt"
	"regexp"
	"strings"
)

const openingExplained = "The words of a sealed etch, encrypted to a round of a drand chain: from that round on anybody who " +
	"has this file can open it, without the service that made it. It outlives a retraction. Nobody can test it before that " +
	"round; if it then holds something else, its signature proves who made it."

var (
	isOpening = isExactly(
		member{"_format", isOneOf("svc-opening:v1")}, member{"_what_this_is", isOneOf(openingExplained)},
		member{"etch_id", isUUID}, member{"hash", isHash}, member{"chain_hash", isHash},
		member{"round", isInteger(1, 9_999_999_999)}, member{"ciphertext", isText},
		member{"public_key", isHash}, member{"signature", isSignature},
	)
	armorPattern  = regexp.MustCompile(`^-----BEGIN AGE ENCRYPTED FILE-----\n((?:[A-Za-z0-9+/]{64}\n)*[A-Za-z0-9+/]{1,64}={0,2}\n)-----END AGE ENCRYPTED FILE-----\n$`)
	stanzaPattern = regexp.MustCompile(`(?s)^age-encryption\.org/v1\n-> tlock (\d+) ([0-9a-f]{64})\n([A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{64}\n[A-Za-z0-9+/]{43})\n--- [A-Za-z0-9+/]{43}\n.`)
)

// Opening checks steps 1 and 3 of section 4.11: form, signature, and the stanza of the ciphertext. It cannot decrypt, because
// the standard library has no pairing of BLS12-381, so the best verdict is Wait.
func Opening(data []byte) (found Finding, err error) {
	defer caught(&err)
	value, err := parseFile(data)
	if err != nil {
		return Finding{}, &Refusal{Why: err.Error()}
	}
	isOpening("", value)
	all := value.(object)
	ciphertext, round := textOf(all["ciphertext"]), integerOf(all["round"])
	signed := fmt.Sprintf("svc-opening:v1|%s|%s|%s|%d|%x",
		all["etch_id"], all["hash"], all["chain_hash"], round, sha([]byte(ciphertext)))
	if !verifies(bytesOf(all["public_key"]), []byte(signed), bytesOf(all["signature"])) {
		return Finding{Fail, "the signature of the opening does not verify"}, nil
	}
	armor := armorPattern.FindStringSubmatch(ciphertext)
	if armor == nil {
		return Finding{Fail, "the ciphertext is no armored age file"}, nil
	}
	file, err := decodeBase64(strings.ReplaceAll(armor[1], "\n", ""))
	if err != nil {
		return Finding{Fail, "the ciphertext is no armored age file"}, nil
	}
	stanza := stanzaPattern.FindSubmatch(file)
	if stanza == nil || string(stanza[1]) != fmt.Sprint(round) || string(stanza[2]) != all["chain_hash"] {
		return Finding{Fail, "the ciphertext is not for this round of this chain"}, nil
	}
	return Finding{Wait, fmt.Sprintf("signed by %s for round %d; not decrypted", all["public_key"], round)}, nil
}
