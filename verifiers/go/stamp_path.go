package verify

import (
	"bytes"
	"crypto/x509"
)

// stampsTime is step 5.
func stampsTime(of *x509.Certificate) bool {
	critical, hasUsage := false, false
	for _, one := range of.Extensions {
		switch one.Id.String() {
		case "2.5.29.37":
			critical = one.Critical
		case "2.5.29.15":
			hasUsage = true
		}
	}
	return critical && isUnderstood(of) && len(of.UnknownExtKeyUsage) == 0 && len(of.ExtKeyUsage) == 1 &&
		of.ExtKeyUsage[0] == x509.ExtKeyUsageTimeStamping &&
		(!hasUsage || of.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) != 0)
}

// isUnderstood reports whether the certificate has no unknown critical extension.
func isUnderstood(of *x509.Certificate) bool {
	for _, one := range of.Extensions {
		switch one.Id.String() {
		case "2.5.29.15", "2.5.29.19", "2.5.29.32", "2.5.29.37":
		default:
			if one.Critical {
				return false
			}
		}
	}
	return true
}

// pathSearch is step 6.
type pathSearch struct {
	trusted, candidates []*x509.Certificate
	checks              int
}

func (p *pathSearch) from(path []*x509.Certificate) []*x509.Certificate {
	last := path[len(path)-1]
	if includes(p.trusted, last) {
		return path
	}
	if len(path) == mostCerts {
		return nil
	}
	for _, next := range p.candidates {
		if !bytes.Equal(next.RawSubject, last.RawIssuer) || !certifies(next, len(path)-1) || repeats(path, next) {
			continue
		}
		if p.checks++; p.checks > mostChecks {
			return nil
		}
		if next.CheckSignature(last.SignatureAlgorithm, last.RawTBSCertificate, last.Signature) != nil {
			continue
		}
		if found := p.from(append(append([]*x509.Certificate{}, path...), next)); found != nil || p.checks > mostChecks {
			return found
		}
	}
	return nil
}

// certifies reports whether a certificate may issue one with so many authorities below it.
func certifies(of *x509.Certificate, below int) bool {
	hasUsage := false
	for _, one := range of.Extensions {
		hasUsage = hasUsage || one.Id.String() == "2.5.29.15"
	}
	limited := of.MaxPathLen > 0 || of.MaxPathLenZero
	return of.IsCA && isUnderstood(of) && (!limited || below <= of.MaxPathLen) && (!hasUsage || of.KeyUsage&x509.KeyUsageCertSign != 0)
}

func repeats(path []*x509.Certificate, next *x509.Certificate) bool {
	for _, one := range path {
		if bytes.Equal(one.RawSubject, next.RawSubject) && bytes.Equal(one.RawSubjectPublicKeyInfo, next.RawSubjectPublicKeyInfo) {
			return true
		}
	}
	return false
}

func includes(list []*x509.Certificate, wanted *x509.Certificate) bool {
	for _, one := range list {
		if one.Equal(wanted) {
			return true
		}
	}
	return false
}
