export function QrCode({ src, of }: { src: string; of: string }) {
  return (
    <details class="qr">
      <summary>QR code</summary>
      <img src={src} width="180" height="180" alt={`QR code of ${of}`} loading="lazy" />
    </details>
  );
}
