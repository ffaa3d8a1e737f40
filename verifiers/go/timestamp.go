package verify

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha1"
	_ "crypto/sha512" // for crypto.SHA384 and crypto.SHA512
	"crypto/x509"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
)

// ReadCertificates reads the certificates in PEM that the reader trusts for time stamps.
func ReadCertificates(text []byte) (found []*x509.Certificate, err error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		one, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	if len(found) == 0 {
		err = errors.New("there is no certificate in PEM")
	}
	return found, err
}

const (
	oidSignedData  = "1.2.840.113549.1.7.2"
	oidTSTInfo     = "1.2.840.113549.1.9.16.1.4"
	oidContentType = "1.2.840.113549.1.9.3"
	oidDigest      = "1.2.840.113549.1.9.4"
	oidSigner      = "1.2.840.113549.1.9.16.2.12"
	oidSignerV2    = "1.2.840.113549.1.9.16.2.47"
	oidRSA         = "1.2.840.113549.1.1.1"
	mostToken      = 65_536
	mostCerts      = 8
	mostChecks     = 32
)

var (
	digests = map[string]crypto.Hash{
		"2.16.840.1.101.3.4.2.1": crypto.SHA256, "2.16.840.1.101.3.4.2.2": crypto.SHA384, "2.16.840.1.101.3.4.2.3": crypto.SHA512,
	}
	rsaSignatures = map[string]crypto.Hash{
		"1.2.840.113549.1.1.11": crypto.SHA256, "1.2.840.113549.1.1.12": crypto.SHA384, "1.2.840.113549.1.1.13": crypto.SHA512,
	}
	curveSignatures = map[string]crypto.Hash{
		"1.2.840.10045.4.3.2": crypto.SHA256, "1.2.840.10045.4.3.3": crypto.SHA384, "1.2.840.10045.4.3.4": crypto.SHA512,
	}
)

// check is steps 2 to 8. hash is the expected imprint.
func (s *stamp) check(hash []byte, trusted []*x509.Certificate) *stampFault {
	var signer *x509.Certificate
	for _, one := range s.certificates {
		serial, err := asn1.Marshal(one.SerialNumber)
		if err == nil && bytes.Equal(one.RawIssuer, s.issuer) && bytes.Equal(serial[2:], s.serial) {
			signer = one
		}
	}
	switch {
	case signer == nil:
		return &stampFault{"unknown", "it does not contain the signer's certificate"}
	case !bytes.Equal(s.imprint, hash):
		return &stampFault{"imprint", "it is of other data"}
	case !s.signedBy(signer):
		return &stampFault{"signature", "the signature does not verify"}
	case !stampsTime(signer):
		return &stampFault{"unknown", "the signer's certificate is not for time stamps"}
	}
	search := &pathSearch{trusted: trusted, candidates: append(append([]*x509.Certificate{}, trusted...), s.certificates...)}
	path := search.from([]*x509.Certificate{signer})
	if search.checks > mostChecks {
		return malformed("the search for a path needs too many checks")
	}
	if path == nil {
		return &stampFault{"unknown", "no certificate that you trust certifies the signer"}
	}
	for _, one := range path {
		if s.time < one.NotBefore.UnixMilli() || s.time > one.NotAfter.UnixMilli() {
			return &stampFault{"expired", "a certificate was not valid at that time"}
		}
	}
	for _, one := range s.certificates {
		if !includes(path, one) && !includes(trusted, one) {
			return malformed("it contains a certificate that is not on the path")
		}
	}
	return nil
}

// signedBy is step 4.
func (s *stamp) signedBy(signer *x509.Certificate) bool {
	kind, hasKind := s.attribute(oidContentType)
	digest, hasDigest := s.attribute(oidDigest)
	needs(hasKind && hasDigest && kind.tag == tagOID && digest.tag == tagOctets, "a signed attribute is missing")
	name, ok := s.attribute(oidSignerV2)
	hash := crypto.SHA256
	if !ok {
		name, ok = s.attribute(oidSigner)
		hash = crypto.SHA1
	}
	needs(ok && name.tag == tagSequence, "the signed attributes do not name the certificate")
	first := name.inside().next(tagSequence).inside().next(tagSequence).inside()
	if algorithm, ok := first.optional(tagSequence); ok && hash != crypto.SHA1 {
		hash = digests[algorithmOf(algorithm)]
		needs(hash != 0, "another algorithm")
	}
	named := first.next(tagOctets).content
	if oidOf(kind) != oidTSTInfo || !bytes.Equal(digest.content, sumOf(s.digest, s.info)) ||
		!bytes.Equal(named, sumOf(hash, signer.Raw)) {
		return false
	}
	message := append([]byte{tagSet}, s.attributes.full[1:]...)
	switch key := signer.PublicKey.(type) {
	case *rsa.PublicKey:
		return curveSignatures[s.algorithm] == 0 && rsa.VerifyPKCS1v15(key, s.digest, sumOf(s.digest, message), s.signature) == nil
	case *ecdsa.PublicKey:
		return curveSignatures[s.algorithm] != 0 && ecdsa.VerifyASN1(key, sumOf(s.digest, message), s.signature)
	}
	return false
}

func sumOf(hash crypto.Hash, data []byte) []byte {
	if hash == crypto.SHA1 {
		sum := sha1.Sum(data)
		return sum[:]
	}
	h := hash.New()
	h.Write(data)
	return h.Sum(nil)
}

// judgeStamp returns the token, or its fault.
func judgeStamp(token, hash []byte, trusted []*x509.Certificate) (found *stamp, fault *stampFault) {
	defer func() {
		switch panicked := recover().(type) {
		case nil:
		case *stampFault:
			fault = panicked
		default:
			panic(panicked)
		}
	}()
	found = readStamp(token)
	return found, found.check(hash, trusted)
}

// checkStamps combines all tokens of a file (section 4.9). stated is the stated time, or "".
func checkStamps(r *receipt, witnesses []any, trusted []*x509.Certificate, stated string) Finding {
	var earliest *stamp
	tokens := 0
	for at, one := range witnesses {
		witness := one.(object)
		if witness["kind"] != "rfc3161" {
			continue
		}
		found, fault := judgeStamp(bytesOf(witness["proof"]), attestedHash(r, textOf(witness["of"])), trusted)
		if fault != nil && fault.kind != "unknown" {
			return Finding{Fail, fmt.Sprintf("witnesses[%d]: %v", at, fault)}
		}
		if witness["of"] != "commitment" {
			continue
		}
		if tokens++; fault == nil && (earliest == nil || found.time < earliest.time) {
			earliest = found
		}
	}
	switch {
	case earliest == nil && tokens > 0 && len(trusted) > 0:
		return Finding{Fail, "no certificate that you trust certifies a time stamp"}
	case earliest == nil:
		return Finding{Wait, "no certificate is trusted that certifies a time stamp"}
	}
	shown := showMilliseconds(earliest.time)
	switch {
	case stated != "" && earliest.time*1000+earliest.accuracy+60_000_000 < milliseconds(stated)*1000:
		return Finding{Fail, "the time stamp of " + shown + " is before the stated time"}
	case stated != "" && earliest.time > milliseconds(stated)+600_000:
		return Finding{Pass, "stamped at " + shown + ": only this later time is proven"}
	}
	return Finding{Pass, "stamped at " + shown + ", imprint " + hex.EncodeToString(earliest.imprint)}
}
