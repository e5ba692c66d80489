# An image with the static binary and CA certificates only.
#
#   docker build --build-arg VERSION="$(git describe --tags --always)" -t diy .
#   docker run -p 8080:8080 -v diy-data:/data diy            # SQLite and the fake provider, for a try
#   docker run -p 8080:8080 --env-file diy.env diy           # production, see docs/operations.md
#   docker run --rm --env-file diy.env diy migrate           # before a new version serves

FROM node:20-bookworm-slim AS web
WORKDIR /src/webapp
COPY webapp/package.json webapp/package-lock.json ./
RUN npm ci --no-audit --no-fund
# The build reads the catalogue.
COPY domain/catalogue/data/ /src/domain/catalogue/data/
COPY webapp/ ./
RUN npm run build

FROM golang:1.26-bookworm AS server
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . ./
COPY --from=web /src/webapp/dist/ webapp/dist/
COPY --from=web /src/webapp/dist-dev/ webapp/dist-dev/
COPY --from=web /src/adapters/invoicepdf/fonts/files/ adapters/invoicepdf/fonts/files/
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/vc-admin/diy/cmd/diycmd.version=$VERSION" -o /out/diy ./cmd/diy
RUN mkdir /out/data

# Contains certificates and an unprivileged user, but no shell or other programs.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=server /out/diy /diy
COPY --from=server --chown=65532:65532 /out/data /data
ENV DIY_ADDR=:8080 DIY_DATABASE_URL=sqlite:/data/diy.db
USER 65532:65532
VOLUME /data
EXPOSE 8080
# Liveness only: restarting the server does not repair an unreachable database.
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["/diy", "health"]
# The server finishes requests in progress when it is stopped: use --stop-timeout 75.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/diy"]
CMD ["serve"]
