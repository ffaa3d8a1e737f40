import { expect, test } from 'vitest';
import { isPublicAddress } from '@svc/timestamp/public-address';

const CLOSED = `127.0.0.1 127.255.1.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1
  198.18.0.1 192.0.2.1 192.88.99.1 224.0.0.1 255.255.255.255
  :: ::1 ::7f00:1 fe80::1 fc00::1 fd12::1 ff02::1 2001::1 2001:1ff::1 2001:db8::1 3fff::1 4000::1 5f00::1 100::1`;

test.each(CLOSED.split(/\s+/))('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['', 'example.org', '127.0.0.1:80', 'fe80::1%eth0'])('%j is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each('8.8.8.8 1.1.1.1 172.32.0.1 192.0.1.1 100.128.0.1 2606:4700::1111 2a00::1 2620:fe::fe'.split(' '))(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

test('the IPv4 address in a NAT64 or mapped address decides', () => {
  for (const prefix of ['64:ff9b::', '::ffff:']) {
    for (const address of ['8.8.8.8', '808:808', '172.32.0.1'])
      expect(isPublicAddress(prefix + address), prefix + address).toBe(true);
    for (const address of ['10.0.0.1', 'a00:1', '127.0.0.1', '7f00:1', '169.254.169.254', '0:0'])
      expect(isPublicAddress(prefix + address), prefix + address).toBe(false);
  }
});

test('a public IPv4 address elsewhere in an IPv6 address opens nothing', () => {
  // Local NAT64 (its place in the address varies), 6to4 (without relays today), Teredo, translated, compatible.
  for (const address of [
    '64:ff9b:1::808:808',
    '64:ff9b:0:1::808:808',
    '2002:808:808::1',
    '2001:0:808:808::1',
    '::ffff:0:808:808',
    '::808:808',
  ])
    expect(isPublicAddress(address), address).toBe(false);
});
