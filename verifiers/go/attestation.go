package verify

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Ask sends one JSON-RPC request to a node and returns the body of an answer with a status from 200 to 299.
type Ask func(method string, params ...any) ([]byte, error)

// HTTPAsk reads from a node's URL.
func HTTPAsk(url string) Ask {
	client := &http.Client{Timeout: 10 * time.Second}
	return func(method string, params ...any) ([]byte, error) {
		if params == nil {
			params = []any{}
		}
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		if err != nil {
			return nil, err
		}
		answer, err := client.Post(url, "application/json", bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		if answer.StatusCode < 200 || answer.StatusCode > 299 {
			return nil, errors.New(answer.Status)
		}
		return io.ReadAll(io.LimitReader(answer.Body, mostBlockAnswer+1))
	}
}

const (
	mostAnswer      = 65_536
	mostBlockAnswer = 4 << 20
	firstYear10000  = 253_402_300_800
)

// attested is an attestation as a node or evidence shows it.
type attested struct {
	schema, attester string // in lower case with 0x
	time, revoked    int64  // seconds since 1970; revoked is 0 without a revocation
	data             []byte
}

var (
	errUnreadable = errors.New("the node gives no readable answer")
	errUnknown    = errors.New("the node does not know the attestation")
	chainPattern  = regexp.MustCompile(`^0x[0-9a-fA-F]{1,14}$`)
	wordsPattern  = regexp.MustCompile(`^0x(?:[0-9a-fA-F]{64}){12,}$`)
	hashPattern0x = regexp.MustCompile(`^0x[0-9a-fA-F]{64}$`)
)

// resultOf reads the result of an answer (section 5.1).
func resultOf(body []byte, most int) (any, error) {
	if len(body) > most {
		return nil, errUnreadable
	}
	value, err := parseText(bytes.TrimPrefix(bytes.ToValidUTF8(body, []byte("\ufffd")), []byte("\ufeff")))
	answer, ok := value.(object)
	if err != nil || !ok || answer["error"] != nil {
		return nil, errUnreadable
	}
	return answer["result"], nil
}

func needChain(ask Ask, chainID int64) error {
	body, err := ask("eth_chainId")
	if err != nil {
		return err
	}
	result, err := resultOf(body, mostAnswer)
	text := textOf(result)
	if err != nil || !chainPattern.MatchString(text) {
		return errUnreadable
	}
	if found, err := strconv.ParseInt(text[2:], 16, 64); err != nil || found != chainID {
		return errors.New("the node is of another chain")
	}
	return nil
}

// readAttestation returns errUnknown where the contract does not know the uid, and another error for any other failure.
func readAttestation(ask Ask, chainID int64, contract, uid string) (*attested, error) {
	if ask == nil {
		return nil, errors.New("no node is named")
	}
	if err := needChain(ask, chainID); err != nil {
		return nil, err
	}
	body, err := ask("eth_call", map[string]string{"to": contract, "data": "0xa3112a64" + uid[2:]}, "latest")
	if err != nil {
		return nil, err
	}
	result, err := resultOf(body, mostAnswer)
	if err != nil || !wordsPattern.MatchString(textOf(result)) {
		return nil, errUnreadable
	}
	return decodeAttestation(bytesOf(strings.ToLower(textOf(result))), uid)
}

// decodeAttestation reads the words of getAttestation (section 5.1).
func decodeAttestation(answer []byte, uid string) (*attested, error) {
	word := func(at int) []byte { return answer[32*at : 32*at+32] }
	numbers := map[int]int64{}
	for _, at := range []int{0, 3, 4, 5, 9, 10, 11} {
		number := new(big.Int).SetBytes(word(at))
		if number.BitLen() > 53 {
			return nil, errUnreadable
		}
		numbers[at] = number.Int64()
	}
	length, data := numbers[11], answer[12*32:]
	if numbers[0] != 0x20 || numbers[10] != 0x140 || numbers[9] > 1 || int64(len(data)) != (length+31)/32*32 ||
		!allZero(data[length:]) || !allZero(word(7)[:12]) || !allZero(word(8)[:12]) {
		return nil, errUnreadable
	}
	if allZero(word(1)) {
		return nil, errUnknown
	}
	made, revoked := numbers[3], numbers[5]
	if "0x"+hex.EncodeToString(word(1)) != uid || made < 1 || made >= firstYear10000 ||
		revoked != 0 && (revoked < made || revoked >= firstYear10000) {
		return nil, errUnreadable
	}
	return &attested{
		schema: fmt.Sprintf("0x%x", word(2)), attester: fmt.Sprintf("0x%x", word(8)[12:]),
		time: made, revoked: revoked, data: data[:length],
	}, nil
}

// blockHash is section 5.2: the hash of the block with this number, in lower case.
func blockHash(ask Ask, chainID, number int64) (string, error) {
	if err := needChain(ask, chainID); err != nil {
		return "", err
	}
	body, err := ask("eth_getBlockByNumber", fmt.Sprintf("0x%x", number), false)
	if err != nil {
		return "", err
	}
	result, err := resultOf(body, mostBlockAnswer)
	hash := textOf(asObject(result)["hash"])
	if err != nil || !hashPattern0x.MatchString(hash) {
		return "", errUnreadable
	}
	return strings.ToLower(hash), nil
}

func allZero(data []byte) bool { return len(bytes.Trim(data, "\x00")) == 0 }

// attestationData is section 2.5.
type attestationData struct {
	root                []byte
	kind, version, size int64
}

// splitData reads the four words of attestation data or of an index entry.
func splitData(data []byte) (attestationData, bool) {
	if len(data) != 128 {
		return attestationData{}, false
	}
	found := attestationData{root: data[:32]}
	for at, number := range []*int64{&found.kind, &found.version, &found.size} {
		word := new(big.Int).SetBytes(data[32*at+32 : 32*at+64])
		if word.BitLen() > 53 {
			return attestationData{}, false
		}
		*number = word.Int64()
	}
	return found, true
}

func readData(data []byte) (attestationData, bool) {
	found, ok := splitData(data)
	most := int64(10_000)
	if found.version == 0 {
		most = 1
	}
	return found, ok && found.kind <= 1 && found.version <= 2 && found.size >= 1 && found.size <= most
}
