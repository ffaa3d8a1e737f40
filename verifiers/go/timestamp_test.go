package verify

import (
	"encoding/json"
	"strings"
	"testing"
)

type stampVector struct {
	Fault, Data, Token, Certificates string
	Expect                           any
}

func (one stampVector) judge(t *testing.T) (*stamp, *stampFault) {
	trusted, err := ReadCertificates([]byte(one.Certificates))
	if err != nil {
		t.Fatal(err)
	}
	return judgeStamp(bytesOf(one.Token), sha(bytesOf(one.Data)), trusted)
}

func TestStamps(t *testing.T) {
	each(t, "valid/timestamp-*.json", func(t *testing.T, one stampVector) {
		found, fault := one.judge(t)
		if fault != nil {
			t.Fatal(fault)
		}
		want := one.Expect.(object)
		if float64(found.time) != want["time"] || float64(found.accuracy)/1000 != want["accuracy"] {
			t.Errorf("%d, %d, want %v", found.time, found.accuracy, want)
		}
	})
	each(t, "invalid/timestamp-*.json", func(t *testing.T, one stampVector) {
		if _, fault := one.judge(t); fault == nil || fault.kind != one.Fault {
			t.Errorf("%v, want %s", fault, one.Fault)
		}
	})
}

func TestEveryByteOfAStampCounts(t *testing.T) {
	one := readVector[stampVector](t, "valid/timestamp-rsa-between.json")
	trusted, _ := ReadCertificates([]byte(one.Certificates))
	token, hash := bytesOf(one.Token), sha(bytesOf(one.Data))
	for at := range token {
		token[at] ^= 1
		if _, fault := judgeStamp(token, hash, trusted); fault == nil {
			t.Errorf("byte %d does not count", at)
		}
		token[at] ^= 1
	}
}

func TestStampsOfEvidence(t *testing.T) {
	all := readVector[struct {
		Certificates map[string]string
		Cases        []struct {
			About    string
			Trusted  []string
			Evidence json.RawMessage
			Expect   struct {
				Verdict, Badge string
				Time           *string
			}
		}
	}](t, "valid/witnesses.json")
	for _, one := range all.Cases {
		var clocks Clocks
		for _, name := range one.Trusted {
			trusted, err := ReadCertificates([]byte(all.Certificates[name]))
			if err != nil {
				t.Fatal(err)
			}
			clocks.Certificates = append(clocks.Certificates, trusted...)
		}
		report, err := Evidence(one.Evidence, Pins{}, Blocks{}, nil, clocks)
		if err != nil {
			t.Fatal(one.About, err)
		}
		if one.Expect.Badge == "none" {
			if report.TSA != nil || len(report.Unread) == 0 {
				t.Errorf("%s: %+v", one.About, report.TSA)
			}
			continue
		}
		found := report.TSA
		if string(found.Verdict) != one.Expect.Verdict || one.Expect.Time != nil && !strings.Contains(found.Detail, *one.Expect.Time) ||
			strings.Contains(found.Detail, "only this later") != (one.Expect.Badge == "late") {
			t.Errorf("%s: %+v, want %+v", one.About, found, one.Expect)
		}
		if found.Verdict == Fail && report.Overall != Fail {
			t.Errorf("%s: the evidence does not fail", one.About)
		}
	}
}
