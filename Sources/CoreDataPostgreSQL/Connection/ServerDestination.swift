#if PostgreSQL
  import CPostgreSQL
  import Foundation

  /// Where a connection that has been started leads to, as libpq has found it out of the URL, the environment and service files.
  struct ServerDestination {
    /// The addresses and names that libpq connects to.
    private let hosts: [String]
    private let sslMode: String
    private let usesService: Bool

    /// The value of `sslmode` with which a server must prove its name.
    static let strictMode = "verify-full"

    /// - Parameter given: the values that were given to libpq.
    init(_ handle: OpaquePointer, _ given: [String: String]) {
      var words: [String: String] = [:]
      if let options = PQconninfo(handle) {
        words = ServerPlace.words(options)
        PQconninfoFree(options)
      }
      func list(_ word: String) -> [String] {
        (words[word] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      }
      let names = list("host"), addresses = list("hostaddr")
      // libpq connects to the address, and to the name only where there is no address.
      hosts = (0..<max(names.count, addresses.count)).map { index in
        let address = index < addresses.count ? addresses[index] : ""
        return address.isEmpty && index < names.count ? names[index] : address
      }
      sslMode = words["sslmode"] ?? ""
      // Among the values of a connection, libpq before 18 does not tell its service.
      usesService = given["service"] != nil || ProcessInfo.processInfo.environment["PGSERVICE"] != nil
    }

    /// Whether the server need not prove its name: it is reached without a network, or a service file has chosen a mode.
    ///
    /// PGSSLMODE does not choose one. A service that chooses the same mode cannot be told from it, nor from libpq's default.
    var isTrusted: Bool {
      if hosts.allSatisfy(Self.isLocal) { return true }
      let usual = ProcessInfo.processInfo.environment["PGSSLMODE"] ?? "prefer"
      return usesService && ![usual, "prefer"].contains(sslMode)
    }

    /// Whether a host is reached without a network: by a socket of this machine, or by its own address.
    static func isLocal(_ host: String) -> Bool {
      host.hasPrefix("/") || host.hasPrefix("@") || ["", "localhost", "127.0.0.1", "::1"].contains(host.lowercased())
    }
  }
#endif
