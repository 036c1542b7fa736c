#if PostgreSQL
  import CPostgreSQL

  /// Texts that describe a place to people, and texts by which places are compared.
  extension ServerPlace {
    /// Scheme, hosts, ports and database, for logs and errors; never a user, a password or parameters.
    var display: String {
      let hosts = hosts.map { host, port in
        let name = host.replacing("/", with: "%2F")
        return (name.contains(":") ? "[\(name)]" : name) + (port == "5432" ? "" : ":\(port)")
      }
      return "postgresql://\(hosts.joined(separator: ","))/\(database)"
    }

    /// A text that is equal for two URLs of the same schema of the same database, as far as the URLs show it.
    var identity: String { "\(databaseIdentity)/\(schema)" }

    /// A text that is equal for two URLs of the same database.
    var databaseIdentity: String {
      let names = hosts.map { host, port in
        let name = host.lowercased()
        return "\(["127.0.0.1", "::1", ""].contains(name) ? "localhost" : name):\(port)"
      }
      // What a service's file says is not known here, so services are told apart by their names.
      let service = words["service"].map { "\($0)@" } ?? ""
      return "\(service)\(names.sorted().joined(separator: ","))/\(database)"
    }

    /// Whether the server is reached without a network, as far as the URL and the environment show it.
    var isLocal: Bool { (hosts.map(\.host) + list("hostaddr")).allSatisfy(ServerDestination.isLocal) }

    private var hosts: [(host: String, port: String)] {
      let names = list("host").isEmpty ? list("hostaddr") : list("host")
      let ports = list("port").isEmpty ? ["5432"] : list("port")
      return (names.isEmpty ? [""] : names).enumerated().map { index, name in
        let port = ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : ""
        return (name, port.isEmpty ? "5432" : port)
      }
    }

    private var database: String { resolved("dbname") ?? resolved("user") ?? "" }

    private func list(_ word: String) -> [String] {
      (resolved(word) ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        .filter { word == "port" || !$0.isEmpty }
    }

    /// Returns the URL's value of a keyword, or else libpq's default: from the environment, or the name of the process's
    /// user.
    private func resolved(_ word: String) -> String? {
      if let value = words[word] { return value.isEmpty ? nil : value }
      guard let defaults = PQconndefaults() else { return nil }
      defer { PQconninfoFree(defaults) }
      return Self.words(defaults)[word].flatMap { $0.isEmpty ? nil : $0 }
    }
  }
#endif
