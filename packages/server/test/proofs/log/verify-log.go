// Verifies a served log with Go's own packages: the checkpoint and its cosignatures, every entry and tile, the consistency with an
// earlier checkpoint, and the inclusion proof of an etch's tree.
//
// usage: verify-log <url of the log> <earlier checkpoint> <proof> <key of the log> <key of a witness>...
package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	return value
}

func check(ok bool, reason string) {
	if !ok {
		must(0, errors.New(reason))
	}
}

// A cosigner is a note.Verifier of cosignature/v1 (C2SP tlog-cosignature).
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", binary.BigEndian.Uint64(signature), text)
	return ed25519.Verify(c.key, []byte(message), signature[8:])
}

func newCosigner(vkey string) cosigner {
	parts := strings.SplitN(vkey, "+", 3)
	bytes := must(base64.StdEncoding.DecodeString(parts[2]))
	check(len(bytes) == 33 && bytes[0] == 4, "not the key of an Ed25519 witness")
	sum := sha256.Sum256(append([]byte(parts[0]+"\n"), bytes...))
	hash := binary.BigEndian.Uint32(sum[:])
	check(fmt.Sprintf("%08x", hash) == parts[1], "the id of the witness's key is wrong")
	return cosigner{parts[0], hash, bytes[1:]}
}

func openCheckpoint(signed []byte, known note.Verifiers, signers int) tlog.Tree {
	opened := must(note.Open(signed, known))
	check(len(opened.Sigs) == signers, fmt.Sprintf("%d of %d have signed", len(opened.Sigs), signers))
	lines := strings.Split(opened.Text, "\n")
	tree := tlog.Tree{N: must(strconv.ParseInt(lines[1], 10, 64))}
	copy(tree.Hash[:], must(base64.StdEncoding.DecodeString(lines[2])))
	return tree
}

func get(url string) []byte {
	answer := must(http.Get(url))
	check(answer.StatusCode == 200, url+" answers "+answer.Status)
	return must(io.ReadAll(answer.Body))
}

func name(n int64, width int) string {
	if width == 256 {
		return fmt.Sprintf("%03d", n)
	}
	return fmt.Sprintf("%03d.p/%d", n, width)
}

type tiles struct{ url string }

func (t tiles) Height() int                   { return 8 }
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var found [][]byte
	for _, tile := range wanted {
		found = append(found, get(fmt.Sprintf("%s/tile/%d/%s", t.url, tile.L, name(tile.N, tile.W))))
	}
	return found, nil
}

func main() {
	url := os.Args[1]
	verifiers := []note.Verifier{must(note.NewVerifier(os.Args[4]))}
	for _, vkey := range os.Args[5:] {
		verifiers = append(verifiers, newCosigner(vkey))
	}
	known := note.VerifierList(verifiers...)
	tree := openCheckpoint(get(url+"/checkpoint"), known, len(verifiers))
	reader := tlog.TileHashReader(tree, tiles{url})

	var indexes []int64
	var entries [][]byte
	for at := int64(0); at < tree.N; at += 256 {
		width := tree.N - at
		if width > 256 {
			width = 256
		}
		bundle := get(url + "/tile/entries/" + name(at/256, int(width)))
		for len(bundle) > 0 {
			length := int(binary.BigEndian.Uint16(bundle))
			indexes = append(indexes, tlog.StoredHashIndex(0, int64(len(entries))))
			entries = append(entries, bundle[2:2+length])
			bundle = bundle[2+length:]
		}
	}
	check(int64(len(entries)) == tree.N, "the bundles have another number of entries")
	for at, hash := range must(reader.ReadHashes(indexes)) {
		check(tlog.RecordHash(entries[at]) == hash, "an entry and its hash differ")
	}
	check(must(tlog.TreeHash(tree.N, reader)) == tree.Hash, "the root differs")

	old := openCheckpoint(must(os.ReadFile(os.Args[2])), known, len(verifiers))
	consistency := must(tlog.ProveTree(tree.N, old.N, reader))
	must(0, tlog.CheckTree(consistency, tree.N, tree.Hash, old.N, old.Hash))

	proof, signed, _ := strings.Cut(string(must(os.ReadFile(os.Args[3]))), "\n\n")
	lines := strings.Split(proof, "\n")
	data := must(base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra ")))[:128]
	index := must(strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64))
	var inclusion tlog.RecordProof
	for _, line := range lines[3:] {
		var hash tlog.Hash
		copy(hash[:], must(base64.StdEncoding.DecodeString(line)))
		inclusion = append(inclusion, hash)
	}
	in := openCheckpoint([]byte(signed), known, len(verifiers))
	must(0, tlog.CheckRecord(inclusion, in.N, in.Hash, index, tlog.RecordHash(data)))
	fmt.Printf("verified %d entries, %d signatures, growth from %d, inclusion of %d\n", tree.N, len(verifiers), old.N, index)
}
