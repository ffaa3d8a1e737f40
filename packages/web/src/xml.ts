/** XML 1.0; other characters become numbers. */
export const escapeXml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex -- naming them is the point
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
