export const README = `An archive of a commitment service (svc-archive:v1): a gzip-compressed tar file.

manifest.json         what it is of: the chain, the contract, the schema, the attesters, how much there is
receipts/<id>.json    a receipt for each etch; each is checked by itself, without the service:
                        svc verify receipts/<id>.json --rpc <a node of the chain> \\
                          --chain-id <id> --contract <contract> --schema <uid> --relayer <attester>
                      and all of them:
                        for receipt in receipts/*.json; do svc verify "$receipt" --rpc ... || echo "$receipt"; done
trees/<root>-<kind>.json
                      every leaf of every anchored tree: author and hash. Fold them again (docs/protocol.md), and see
                      that every leaf of an author is in the author's record
records/<username>/<n>.json
                      every etch of every account as readers see it, newest first, a hundred a file
challenges/<n>.json   who asked what, and when it closed, a hundred a file. With the records, all that scores of forecasts are made of:
                        svc score <this archive> <username>, or docs/score.py
tables/<table>/<n>.jsonl
                      the rows, for \`svc-admin import\`; not for publication: hashes of API keys, allowances, follows,
                      the exact times of what is sealed. A public archive has none. Sealed texts are in here encrypted
                      under SECRET_KEYS, and nowhere else

What was sealed when the archive was made is sealed in everything but the tables: no text, no salt, no time. What was
retracted is erased.
`;
