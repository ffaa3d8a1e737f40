# The service, as an ordinary user, from this clone: docker build -t commitment-service .
# Its data is in /data (DATA_DIR), its ledgers in /erasures if LEDGER_DIR names that folder; everything else may be read-only,
# with /tmp in memory. See compose.yaml. The list of its packages is in /app/sbom.cdx.json (CycloneDX).

# The newest long-term Node.js on Debian; the service runs on 20 and newer. Debian's PostgreSQL programs must be of the database's version
# or newer, for backup and restore: trixie has 17, as compose.yaml. A digest (…@sha256:…) makes builds repeatable to the byte.
ARG NODE=node:24.21.0-trixie-slim

FROM ${NODE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/no-hardhat scripts/no-hardhat
COPY packages packages
# Only what npm needs to know: sources that change do not make it install anew.
RUN find packages -type f ! -name package.json -delete && find packages -type d -empty -delete

FROM ${NODE} AS build
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --include=dev
COPY tsconfig.build.json tsconfig.base.json LICENSE ./
COPY scripts scripts
COPY packages packages
# The programs are bundled: of what npm installed the next stage takes what they load, which is less than a third.
# docker build --build-arg SOURCE_COMMIT=$(git rev-parse HEAD): the clone's .git is not copied.
ARG SOURCE_COMMIT
RUN npm run build && node scripts/image.mjs /image

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# pg_dump and pg_restore, which svc-admin runs.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /image ./
# What /llms.txt names is served from here.
COPY docs docs
RUN mkdir /data /erasures /backups && chown node:node /data /erasures /backups && \
  ln -s /app/packages/server/bin/svc-admin.mjs /usr/local/bin/svc-admin
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# It is process 1 itself: SIGTERM reaches it, and it drains within ten seconds.
CMD ["node", "packages/server/bin/serve.mjs"]
