import type { OpeningFile } from '../resources/opening.ts';

/** The round was in August 2023, so it opens (`vectors/valid/openings.json`). */
export const opening: OpeningFile = {
  _format: 'svc-opening:v1',
  _what_this_is:
    'The words of a sealed etch, encrypted to a round of a drand chain: from that round on anybody who has this file can open it, without the service that made it. It outlives a retraction. Nobody can test it before that round; if it then holds something else, its signature proves who made it.',
  etch_id: '47f16297-17dc-4103-ac0f-4471b1951200',
  hash: '89f32e7c77dc8e7e855f559c425636ef7e4d9fb9e6514ae1d73227d67102c49f',
  chain_hash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  round: 1000,
  ciphertext:
    '-----BEGIN AGE ENCRYPTED FILE-----\nYWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHRsb2NrIDEwMDAgNTJkYjliYTcwZTBj\nYzBmNmVhZjc4MDNkZDA3NDQ3YTFmNTQ3NzczNWZkM2Y2NjE3OTJiYTk0NjAwYzg0\nZTk3MQpySU9wb0Fsc05mVllmblB1WDNkL3Fhd0JzZkhTUDUwWEFDMmp4cllDMTZE\nNTdSdGFVai9oVEdpVUVYcGxEVVU4CkRuZk1QUzFGMnR1M3VDMHVDU1llTmY4anlu\nVGpIQW01N3pFcXYveGFQVnlVVE42SkxOTFZ1QW5KTG4wM2FMZEEKSFdpUWgrQ3J3\nNnAwdDdzdWpYcXdQUHlaSlZ6b1VjWTVRYWloeFJEM0Y1cwotLS0gQ2JiNDczejJm\nSUZ0VC9ndy9rR3JrMHZIeVBsNEJpLzFLNUFnT2ZnK3I4QQqE/+0/eOja4jDNxW6A\nA8xEVqqo8rlwtq8ADga9ZqG3748hCN7CKabydiAiljAd4UORUZf95AxgAJ9yBaLG\nIX0BkcLyv33PsB2Wa+AzYKFN540uCMV+ybnqEjcH6+4aw4v4IptYrJFIBeClvfXH\n5zjnVY3NWCwCHzklKoY5TgRP3uJhNnkwEMoOEoRxvZHRCZ1lByxf2RRZstAgv8Nn\naxU7phqHqB8y3QUj/E51/HuKIbsxb9Si4X3OCMb/K24=\n-----END AGE ENCRYPTED FILE-----\n',
  public_key: 'bcbac5ed78e4a2082c221f6298bc146539977bc176167686437d09b5981865ab',
  signature:
    'e666f26313b2c65368772c8f7a83f6deb2e89a977c81687fd3098f95f12a1111b97c8cc41f8af9c8d346946c4769530632d9f96f7ff8655d742e0eef54b9b20f',
};
