export function imageSbom(timestamp: string): {
  bomFormat: string;
  specVersion: string;
  metadata: { component: { name: string; version: string } };
  components: { 'bom-ref': string; name: string; version: string; purl: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
};
