// svc-verify checks receipts, evidence, proofs of the log of trees, and answers of the index of accounts.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	verify "svc.example/verifiers/go"
)

const usage = `svc-verify [flags] FILE...

FILE is a receipt, an evidence file, an opening, or an answer of /log/index/<user id>; give all answers of one reading
together, in their order. Without -trust the best result is WAIT. Exit status: 0 pass, 1 fail, 2 wait, 3 pass, but
something in a file was not checked (it is named), 64 a wrong command line.

`

// Exit statuses, as those of svc.
const (
	statusPass      = 0
	statusFail      = 1
	statusWait      = 2
	statusUnchecked = 3
	statusUsage     = 64
)

type list []string

func (l *list) String() string { return strings.Join(*l, ", ") }

func (l *list) Set(value string) error {
	*l = append(*l, value)
	return nil
}

// serviceInfo is a copy of /.well-known/svc.json.
type serviceInfo struct {
	Chain struct {
		ChainID   int64    `json:"chain_id"`
		Contract  string   `json:"attestation_contract"`
		SchemaUID string   `json:"schema_uid"`
		Relayers  []string `json:"relayers"`
	}
	Log     struct{ Keys []string }
	Promise struct{ Keys []string }
}

type options struct {
	rpc, authorKey, policy, logProof, promise, etch, tsa string
	trust, blockHashes, logKeys, promiseKeys, bitcoin    list
	services                                             []serviceInfo
	clocks                                               verify.Clocks
	// unchecked is set when something in a file is named and not checked.
	unchecked bool
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(arguments []string, stdout, stderr io.Writer) int {
	of := &options{}
	flags := flag.NewFlagSet("svc-verify", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&of.rpc, "rpc", "", "`URL` of a node of the chain")
	flags.Var(&of.trust, "trust", "`FILE` with a copy of the service's /.well-known/svc.json that you\n"+
		"trust; again for a chain that the service left")
	flags.Var(&of.blockHashes, "block-hash", "`HASH` of a block that you trust, for evidence; may be given several times")
	flags.StringVar(&of.authorKey, "author-key", "", "the author's Ed25519 `KEY`, 64 hex digits")
	flags.StringVar(&of.logProof, "tlog-proof", "", "`FILE` with the proof of the etch in the log of trees")
	flags.StringVar(&of.policy, "policy", "", "`FILE` with logs, witnesses and quorum that you trust (tlog-policy)")
	flags.Var(&of.logKeys, "log-key", "verifier `KEY` of the log of trees, for answers of the index")
	flags.StringVar(&of.promise, "promise", "", "`FILE` with the promise of the etch, as svc etch --save writes it")
	flags.Var(&of.promiseKeys, "promise-key", "Ed25519 `KEY` of the service's promises, in addition to those of -trust")
	flags.StringVar(&of.etch, "etch", "", "`FILE` with the answer of /api/v1/etches/<id>, for -promise")
	flags.StringVar(&of.tsa, "tsa-certificates", "", "`FILE` in PEM with the time-stamping authorities that you trust")
	flags.Var(&of.bitcoin, "bitcoin-header", "`HEX` of a block header of Bitcoin that you trust, for OpenTimestamps")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return statusPass
		}
		return statusUsage
	}
	if flags.NArg() == 0 || (of.logProof != "") != (of.policy != "") && of.logProof != "" {
		fmt.Fprintln(stderr, "svc-verify: give at least one FILE, and -policy with -tlog-proof")
		return statusUsage
	}
	for _, name := range of.trust {
		var service serviceInfo
		data, err := os.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(data, &service)
		}
		if err == nil && service.Chain.ChainID == 0 {
			err = errors.New("chain.chain_id is missing")
		}
		if err != nil {
			fmt.Fprintf(stderr, "svc-verify: -trust %s: %v\n", name, err)
			return statusUsage
		}
		of.services = append(of.services, service)
	}
	for _, text := range of.bitcoin {
		header, err := verify.ReadHeader(text)
		if err != nil {
			fmt.Fprintln(stderr, "svc-verify: -bitcoin-header:", err)
			return statusUsage
		}
		of.clocks.Headers = append(of.clocks.Headers, header)
	}
	if of.tsa != "" {
		text, err := os.ReadFile(of.tsa)
		if err == nil {
			of.clocks.Certificates, err = verify.ReadCertificates(text)
		}
		if err != nil {
			fmt.Fprintf(stderr, "svc-verify: -tsa-certificates %s: %v\n", of.tsa, err)
			return statusUsage
		}
	}
	return of.check(flags.Args(), stdout, stderr)
}

func (o *options) pins(service serviceInfo) verify.Pins {
	chain := service.Chain
	return verify.Pins{
		ChainID: chain.ChainID, Contract: chain.Contract, SchemaUID: chain.SchemaUID, Relayers: chain.Relayers,
		AuthorKey: o.authorKey,
	}
}

// former are the pins for a chain that the service left.
func (o *options) former(chainID int64) (verify.Pins, verify.Blocks) {
	for _, service := range o.services {
		if service.Chain.ChainID == chainID {
			return o.pins(service), verify.Blocks{Hashes: o.blockHashes}
		}
	}
	return verify.Pins{AuthorKey: o.authorKey}, verify.Blocks{Hashes: o.blockHashes}
}

func (o *options) check(files []string, stdout, stderr io.Writer) int {
	policy, err := o.readPolicy()
	if err != nil {
		fmt.Fprintln(stderr, "svc-verify:", err)
		return statusUsage
	}
	worst := verify.Pass
	add := func(verdict verify.Verdict) { worst = worse(worst, verdict) }
	var answers [][]byte
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			fmt.Fprintln(stderr, "svc-verify:", err)
			return statusUsage
		}
		switch verify.KindOf(data) {
		case "index":
			answers = append(answers, data)
			continue
		case "opening":
			add(o.checkOpening(name, data, stdout))
			continue
		}
		add(o.checkFile(name, data, policy, stdout))
	}
	if len(answers) > 0 {
		add(o.checkIndex(answers, policy, stdout))
	}
	if worst == verify.Pass && o.unchecked {
		return statusUnchecked
	}
	return map[verify.Verdict]int{verify.Pass: statusPass, verify.Fail: statusFail, verify.Wait: statusWait}[worst]
}

func (o *options) readPolicy() (*verify.Policy, error) {
	if o.policy == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.policy)
	if err != nil {
		return nil, err
	}
	return verify.ParsePolicy(string(text))
}

func (o *options) checkFile(name string, data []byte, policy *verify.Policy, stdout io.Writer) verify.Verdict {
	pins := verify.Pins{AuthorKey: o.authorKey}
	if len(o.services) > 0 {
		pins = o.pins(o.services[0])
	}
	var ask verify.Ask
	if o.rpc != "" {
		ask = verify.HTTPAsk(o.rpc)
	}
	var report verify.Report
	var err error
	if verify.KindOf(data) == "evidence" {
		report, err = verify.Evidence(data, pins, verify.Blocks{Hashes: o.blockHashes, Ask: ask}, o.former, o.clocks)
	} else {
		report, err = verify.Receipt(data, pins, ask)
	}
	if err != nil {
		fmt.Fprintf(stdout, "FAIL %s: %v\n", name, err)
		return verify.Fail
	}
	for _, check := range report.Checks {
		fmt.Fprintf(stdout, "%s %s: %s\n", check.Verdict, check.Key, check.Detail)
	}
	for _, pin := range report.Unpinned {
		fmt.Fprintf(stdout, "wait trust: %s is not pinned, only the file names it\n", pin)
	}
	for _, former := range report.Former {
		fmt.Fprintf(stdout, "%s former chain: %s\n", former.Overall, former.Checks[2].Detail)
	}
	for _, kind := range report.Unread {
		o.unchecked = true
		fmt.Fprintf(stdout, "info witness: the kind %s is not checked\n", kind)
	}
	overall := report.Overall
	for kind, found := range map[string]*verify.Finding{"ots": report.OTS, "tsa": report.TSA} {
		if found != nil {
			fmt.Fprintf(stdout, "%s %s: %s\n", found.Verdict, kind, found.Detail)
		}
	}
	if o.promise != "" {
		found := o.checkPromise(data, report)
		fmt.Fprintf(stdout, "%s promise: %s\n", found.Verdict, found.Detail)
		overall = worse(overall, found.Verdict)
	}
	if o.logProof != "" && overall != verify.Fail {
		proof, err := os.ReadFile(o.logProof)
		found := verify.LogReport{Verdict: verify.Fail, Detail: fmt.Sprint(err)}
		if err == nil {
			found = verify.LogProof(string(proof), report.Hash, report.UserID, false, policy, time.Now().Unix())
		}
		o.showLog("log", found, stdout)
		overall = worse(overall, found.Verdict)
	}
	if word := strings.ToUpper(string(overall)); overall == verify.Pass && o.unchecked {
		fmt.Fprintf(stdout, "UNCHECKED %s\n", name)
	} else {
		fmt.Fprintf(stdout, "%s %s\n", word, name)
	}
	return overall
}

func worse(one, other verify.Verdict) verify.Verdict {
	if other == verify.Fail || other == verify.Wait && one != verify.Fail {
		return other
	}
	return one
}

func (o *options) checkPromise(file []byte, report verify.Report) verify.Finding {
	wrong := func(err error) verify.Finding { return verify.Finding{Verdict: verify.Fail, Detail: err.Error()} }
	data, err := os.ReadFile(o.promise)
	if err != nil {
		return wrong(err)
	}
	var etch []byte
	if o.etch != "" {
		if etch, err = os.ReadFile(o.etch); err != nil {
			return wrong(err)
		}
	}
	keys := append([]string{}, o.promiseKeys...)
	for _, service := range o.services {
		keys = append(keys, service.Promise.Keys...)
	}
	found, err := verify.Promise(data, keys, file, report, etch)
	if err != nil {
		return wrong(err)
	}
	return found
}

func (o *options) checkOpening(name string, data []byte, stdout io.Writer) verify.Verdict {
	found, err := verify.Opening(data)
	if err != nil {
		found = verify.Finding{Verdict: verify.Fail, Detail: err.Error()}
	}
	fmt.Fprintf(stdout, "%s opening: %s\n", found.Verdict, found.Detail)
	if found.Verdict == verify.Fail {
		fmt.Fprintf(stdout, "FAIL %s\n", name)
		return verify.Fail
	}
	o.unchecked = true
	fmt.Fprintf(stdout, "UNCHECKED %s\n", name)
	return verify.Pass
}

func (o *options) showLog(key string, found verify.LogReport, stdout io.Writer) {
	fmt.Fprintf(stdout, "%s %s: %s\n", found.Verdict, key, found.Detail)
	for _, name := range found.Unread {
		o.unchecked = true
		fmt.Fprintf(stdout, "info %s: the ML-DSA-44 cosignature of %s is not checked and does not count\n", key, name)
	}
}

func (o *options) checkIndex(answers [][]byte, policy *verify.Policy, stdout io.Writer) verify.Verdict {
	reading, err := verify.IndexFiles(answers)
	if err != nil {
		fmt.Fprintf(stdout, "FAIL index: %v\n", err)
		return verify.Fail
	}
	keys := append([]string{}, o.logKeys...)
	for _, service := range o.services {
		keys = append(keys, service.Log.Keys...)
	}
	var point verify.LogReport
	if len(keys) == 0 && policy == nil {
		point.Verdict = verify.Wait
		point.Detail = "no key of the log is pinned: give -trust, -log-key or -policy"
	} else {
		point = verify.CheckCheckpoint(reading.Checkpoint, keys, policy, time.Now().Unix())
	}
	o.showLog("checkpoint", point, stdout)
	if point.Verdict != verify.Fail {
		fmt.Fprintf(stdout, "pass index: %s has %d entries in the first %d entries of the log\n",
			reading.UserID, reading.Kept.Count, reading.Kept.Covered)
		for _, entry := range reading.Entries {
			fmt.Fprintf(stdout, "%d %d %x\n", entry.LogIndex, entry.Kind, entry.Hash)
		}
	}
	fmt.Fprintf(stdout, "%s index\n", strings.ToUpper(string(point.Verdict)))
	return point.Verdict
}
