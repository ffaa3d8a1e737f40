package verify

import (
	"bytes"
	"crypto"
	"crypto/x509"
	"encoding/asn1"
)

// stamp is a token of section 4.9.
type stamp struct {
	certificates   []*x509.Certificate
	info           []byte
	imprint        []byte
	time           int64 // milliseconds since 1970
	accuracy       int64 // microseconds
	issuer, serial []byte
	digest         crypto.Hash
	attributes     derValue
	algorithm      string
	signature      []byte
}

func oidOf(v derValue) string {
	var found asn1.ObjectIdentifier
	if _, err := asn1.Unmarshal(v.full, &found); err != nil {
		panic(malformed("an object identifier has another form"))
	}
	return found.String()
}

// algorithmOf reads an AlgorithmIdentifier without parameters, or with NULL.
func algorithmOf(v derValue) string {
	in := v.inside()
	name := oidOf(in.next(tagOID))
	in.optional(tagNull)
	in.end()
	return name
}

func needs(truth bool, why string) {
	if !truth {
		panic(malformed(why))
	}
}

func isNumber(v derValue, number byte) bool { return bytes.Equal(v.content, []byte{number}) }

// readStamp is step 1.
func readStamp(token []byte) *stamp {
	needs(len(token) <= mostToken, "it is too large")
	whole := &derReader{token}
	outer := whole.next(tagSequence)
	whole.end()
	checkDER(outer)
	in := outer.inside()
	needs(oidOf(in.next(tagOID)) == oidSignedData, "it is no SignedData")
	explicit := in.next(0xa0).inside()
	in.end()
	signed := explicit.next(tagSequence).inside()
	explicit.end()
	found := &stamp{}
	needs(isNumber(signed.next(tagInteger), 3), "another version of SignedData")
	named := signed.next(tagSet).all()
	needs(len(named) == 1 && named[0].tag == tagSequence, "not one digest algorithm")
	content := signed.next(tagSequence).inside()
	needs(oidOf(content.next(tagOID)) == oidTSTInfo, "it is no TSTInfo")
	octets := content.next(0xa0).inside()
	content.end()
	found.info = octets.next(tagOctets).content
	octets.end()
	if certificates, ok := signed.optional(0xa0); ok {
		for _, one := range certificates.all() {
			parsed, err := x509.ParseCertificate(one.full)
			needs(err == nil && one.tag == tagSequence, "a certificate has another form")
			found.certificates = append(found.certificates, parsed)
		}
	}
	needs(len(found.certificates) <= mostCerts, "too many certificates")
	signers := signed.next(tagSet).all()
	signed.end()
	needs(len(signers) == 1 && signers[0].tag == tagSequence, "not one signer")
	found.readSigner(signers[0].inside())
	needs(digests[algorithmOf(named[0])] == found.digest, "the digest algorithms differ")
	found.readInfo()
	return found
}

func (s *stamp) readSigner(in *derReader) {
	needs(isNumber(in.next(tagInteger), 1), "another version of SignerInfo")
	name := in.next(tagSequence).inside()
	s.issuer, s.serial = name.next(tagSequence).full, name.next(tagInteger).content
	name.end()
	s.digest = digests[algorithmOf(in.next(tagSequence))]
	s.attributes = in.next(0xa0)
	s.algorithm = algorithmOf(in.next(tagSequence))
	s.signature = in.next(tagOctets).content
	in.end()
	ofSignature := rsaSignatures[s.algorithm] + curveSignatures[s.algorithm]
	needs(s.digest != 0 && (ofSignature == s.digest || s.algorithm == oidRSA), "another algorithm, or another digest")
	s.sorted(s.attributes.all())
	for _, one := range s.attributes.all() {
		in := one.inside()
		oidOf(in.next(tagOID))
		values := in.next(tagSet)
		in.end()
		s.sorted(values.all())
	}
}

func (s *stamp) sorted(values []derValue) {
	for at := 1; at < len(values); at++ {
		needs(bytes.Compare(values[at-1].full, values[at].full) < 0, "a set is not sorted, or has a value twice")
	}
}

func (s *stamp) readInfo() {
	whole := &derReader{s.info}
	outer := whole.next(tagSequence)
	whole.end()
	checkDER(outer)
	in := outer.inside()
	needs(isNumber(in.next(tagInteger), 1), "another version of TSTInfo")
	in.next(tagOID)
	imprint := in.next(tagSequence).inside()
	needs(digests[algorithmOf(imprint.next(tagSequence))] == crypto.SHA256, "the imprint is not of SHA-256")
	s.imprint = imprint.next(tagOctets).content
	imprint.end()
	needs(len(s.imprint) == 32, "the imprint is not of SHA-256")
	in.next(tagInteger)
	s.time = derTime(in.next(tagTime))
	if accuracy, ok := in.optional(tagSequence); ok {
		s.readAccuracy(accuracy.inside())
	}
	if ordering, ok := in.optional(tagBoolean); ok {
		needs(ordering.content[0] == 0xff, "a default value is not omitted")
	}
	in.optional(tagInteger)
	in.optional(0xa0)
	if extensions, ok := in.optional(0xa1); ok {
		for _, one := range extensions.all() {
			of := one.inside()
			of.next(tagOID)
			_, critical := of.optional(tagBoolean)
			needs(!critical, "an extension is critical, or says that it is not")
			of.next(tagOctets)
			of.end()
		}
	}
	in.end()
}

func (s *stamp) readAccuracy(in *derReader) {
	for _, unit := range []struct {
		tag                byte
		least, most, scale int64
	}{{tagInteger, 0, 1<<31 - 1, 1_000_000}, {0x80, 1, 999, 1_000}, {0x81, 1, 999, 1}} {
		value, ok := in.optional(unit.tag)
		if !ok {
			continue
		}
		value.tag = tagInteger
		checkDER(value)
		number := int64(int8(value.content[0]))
		for _, digit := range value.content[1:] {
			number = number<<8 | int64(digit)
		}
		needs(len(value.content) < 6 && number >= unit.least && number <= unit.most, "the accuracy is out of its range")
		s.accuracy += number * unit.scale
	}
	in.end()
}

// attribute returns the only value of a signed attribute.
func (s *stamp) attribute(name string) (value derValue, ok bool) {
	for _, one := range s.attributes.all() {
		in := one.inside()
		if oidOf(in.next(tagOID)) != name {
			continue
		}
		values := in.next(tagSet).all()
		needs(!ok && len(values) == 1, "an attribute is doubled")
		value, ok = values[0], true
	}
	return value, ok
}
