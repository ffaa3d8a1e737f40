// Verifies a downloaded log with Go's own packages: the note, every entry, the root, and a proof of inclusion and of consistency.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
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

func main() {
	folder := os.Args[1]
	verifier := must(note.NewVerifier(os.Args[2]))
	signed := must(note.Open(must(os.ReadFile(filepath.Join(folder, "checkpoint"))), note.VerifierList(verifier)))
	lines := strings.Split(signed.Text, "\n")
	size := must(strconv.ParseInt(lines[1], 10, 64))
	var root tlog.Hash
	copy(root[:], must(base64.StdEncoding.DecodeString(lines[2])))

	var entries [][]byte
	for at := int64(0); at*256 < size; at++ {
		name := fmt.Sprintf("%03d", at)
		if size-at*256 < 256 {
			name += fmt.Sprintf(".p/%d", size-at*256)
		}
		bundle := must(os.ReadFile(filepath.Join(folder, "tile/entries", name)))
		hashes := must(os.ReadFile(filepath.Join(folder, "tile/0", name)))
		for n := 0; len(bundle) > 0; n++ {
			length := int(binary.BigEndian.Uint16(bundle))
			entry := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			hash := tlog.RecordHash(entry)
			if string(hash[:]) != string(hashes[32*n:32*n+32]) {
				fmt.Println("an entry and its hash differ")
				os.Exit(1)
			}
			entries = append(entries, entry)
		}
	}
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	for at, entry := range entries {
		stored = append(stored, must(tlog.StoredHashes(int64(at), entry, reader))...)
	}
	if must(tlog.TreeHash(size, reader)) != root {
		fmt.Println("the root differs")
		os.Exit(1)
	}
	proof := must(tlog.ProveRecord(size, size/2, reader))
	must(0, tlog.CheckRecord(proof, size, root, size/2, tlog.RecordHash(entries[size/2])))
	old := must(tlog.TreeHash(size/2, reader))
	tree := must(tlog.ProveTree(size, size/2, reader))
	must(0, tlog.CheckTree(tree, size, root, size/2, old))
	fmt.Printf("verified %d entries\n", size)
}
