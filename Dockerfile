# The server as an image: one static binary on nothing but certificates.
#
#   docker build --build-arg VERSION="$(git describe --tags --always)" -t diy .
#   docker run -p 8080:8080 -v diy-data:/data diy            # SQLite and the fake provider, to look at
#   docker run -p 8080:8080 --env-file diy.env diy           # in earnest, see the README
#   docker run --rm --env-file diy.env diy migrate           # before a new version serves

FROM node:20-bookworm-slim AS web
WORKDIR /src/webapp
COPY webapp/package.json webapp/package-lock.json ./
RUN npm ci --no-audit --no-fund
# The build looks at what is sold.
COPY domain/catalogue/data/ /src/domain/catalogue/data/
COPY webapp/ ./
RUN npm run build

FROM golang:1.26-bookworm AS server
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . ./
COPY --from=web /src/webapp/dist/ webapp/dist/
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /out/diy ./cmd/diy
RUN mkdir /out/data

# Certificates, a user without rights, and nothing that could be run besides the server.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=server /out/diy /diy
COPY --from=server --chown=65532:65532 /out/data /data
ENV DIY_ADDR=:8080 DIY_DATABASE_URL=sqlite:/data/diy.db
USER 65532:65532
VOLUME /data
EXPOSE 8080
# Whether it lives, not whether it is ready: a database that is away is not mended by a restart.
HEALTHCHECK --interval=10s --timeout=6s --start-period=60s --retries=3 CMD ["/diy", "health"]
# A server that is told to stop finishes what it has begun: --stop-timeout 70.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/diy"]
CMD ["serve"]
