/// The names by which the service may be addressed. A page of another site whose name leads to this machine has another one.
struct Hosts {
  private let names: Set<String>?

  init(_ host: String) {
    let loopback: Set = ["127.0.0.1", "localhost", "::1", "[::1]"]
    names = loopback.contains(host) ? loopback : nil
  }

  func allow(_ authority: String?) -> Bool {
    guard let names else { return true }
    guard var name = authority else { return false }
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") { name = String(name[..<colon]) }
    return names.contains(name.lowercased())
  }
}
