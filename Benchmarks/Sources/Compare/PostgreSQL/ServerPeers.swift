import Foundation

/// Libraries that a Python programmer would use: SQLAlchemy with psycopg, and the drivers' own bulk operations.
enum ServerPeers {
  /// The workloads for which the peers have a counterpart.
  static let processes = [
    "pg-batch-10000", "pg-save-10000", "pg-saves-1000", "pg-fetch-10000", "pg-batch-1000000", "pg-fetch-1000000",
  ]

  /// Installs the libraries beside the stores, unless they are there already.
  static func prepare(folder: String) throws -> [Peer] {
    let environment = URL(fileURLWithPath: folder).appending(path: "sqlalchemy").path
    let python = environment + "/bin/python"
    if !FileManager.default.fileExists(atPath: python) { try Peer.start(["python3", "-m", "venv", environment]) }
    try Peer.start([
      python, "-m", "pip", "install", "--quiet", "sqlalchemy==2.1.*", "psycopg[binary]==3.*", "asyncpg==0.*",
    ])
    return [("SQLAlchemy", "orm"), ("psycopg", "psycopg"), ("asyncpg", "asyncpg")].map { name, kind in
      Peer(name: name, command: [python, "Peers/postgresql_peer.py", kind])
    }
  }
}
