# The service, as an ordinary user, from this clone: docker build -t commitment-service .
# What it keeps is in /data (DATA_DIR), and in /erasures where several share an ERASURE_LEDGER; everything else may be read-only,
# with /tmp in memory. See compose.yaml.

# Node.js 20 or newer on Debian. Debian's PostgreSQL programs must be of the database's version or newer, for backup and restore:
# trixie has 17, as compose.yaml. A digest makes builds repeatable.
ARG NODE=node:20-trixie-slim

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
COPY tsconfig.json tsconfig.base.json ./
COPY scripts scripts
COPY packages packages
# Packages of the build stay behind: the next stage brings those that running takes.
RUN npm run build && find packages \( -name .tsbuildinfo -o -name node_modules \) -prune -exec rm -rf {} +

FROM ${NODE} AS dependencies
WORKDIR /app
COPY --from=manifests /app ./
RUN npm ci --omit=dev

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# pg_dump and pg_restore, which svc-admin runs.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=dependencies /app ./
COPY --from=build /app/packages packages
# What /llms.txt names is served from here.
COPY docs docs
RUN mkdir /data /erasures && chown node:node /data /erasures && \
  ln -s /app/packages/server/bin/svc-admin.mjs /usr/local/bin/svc-admin
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# It is process 1 itself: SIGTERM reaches it, and it drains within ten seconds.
CMD ["node", "packages/server/bin/serve.mjs"]
