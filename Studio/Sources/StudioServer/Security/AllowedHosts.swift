import Foundation

/// The hosts that requests may name.
///
/// If the studio listens at all addresses of the machine, every numeric address is allowed: another site can make its name
/// resolve to this machine, but not an address.
struct AllowedHosts: Sendable {
  private let names: Set<String>
  private let allowsAddresses: Bool

  /// - Parameters:
  ///   - name: The address that the studio listens at.
  ///   - machine: The machine's name, by which other machines reach it.
  init(_ name: String, machine: String = ProcessInfo.processInfo.hostName) {
    let loopback: Set = ["127.0.0.1", "localhost", "[::1]"]
    allowsAddresses = Self.isEveryAddress(name)
    if ["127.0.0.1", "localhost", "::1"].contains(name) {
      names = loopback
    } else if allowsAddresses {
      names = loopback.union([machine.lowercased()])
    } else {
      names = [Self.inURL(name).lowercased()]
    }
  }

  /// Returns whether a host is allowed. The port is ignored: a browser sends it, and a different port belongs to another
  /// program.
  func allows(_ authority: String?) -> Bool {
    guard var host = authority else { return false }
    if let colon = host.lastIndex(of: ":"), host[colon...].dropFirst().allSatisfy(\.isNumber), !host.hasSuffix("]") {
      host = String(host[..<colon])
    }
    return names.contains(host.lowercased()) || allowsAddresses && Self.isAddress(host)
  }

  /// Returns the host name by which other machines reach the studio: a client cannot connect to “every address”.
  static func reachable(_ name: String, machine: String = ProcessInfo.processInfo.hostName) -> String {
    isEveryAddress(name) ? machine : inURL(name)
  }

  private static func isEveryAddress(_ name: String) -> Bool { ["0.0.0.0", "::"].contains(name) }

  private static func inURL(_ name: String) -> String { name.contains(":") ? "[\(name)]" : name }

  private static func isAddress(_ host: String) -> Bool {
    var four = in_addr(), six = in6_addr()
    if host.hasPrefix("["), host.hasSuffix("]") {
      return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1
    }
    return inet_pton(AF_INET, host, &four) == 1
  }
}
