import Foundation

/// The stores that were named at the start, each with a short name that is used in addresses.
struct OpenedStores: Sendable {
  let all: [OpenedStore]

  /// - Parameter models: The models for stores that keep no model.
  init(_ urls: [URL], models: [URL]) {
    let models = NamedModels(files: models)
    var names: Set<String> = []
    all = urls.map { url in
      let base = url.isFileURL ? url.lastPathComponent : url.shownName
      var name = base
      var number = 2
      while !names.insert(name).inserted {
        name = "\(base)-\(number)"
        number += 1
      }
      return OpenedStore(name: name, url: url, models: models)
    }
  }

  /// - Throws: a `StudioError` for a name that was not given at the start.
  func named(_ name: String?) throws -> OpenedStore {
    guard let store = all.first(where: { $0.name == name }) else {
      throw StudioError.notFound("No store “\(name ?? "")” was named when the studio was started.")
    }
    return store
  }
}

extension URL {
  /// The database and the schema of a server's store, or the host and the port of a web service, without the user and the
  /// password.
  fileprivate var shownName: String {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: false)
    if ["http", "https"].contains(scheme?.lowercased()) {
      return
        ([parts?.host, parts?.port.map(String.init)].compactMap(\.self)
        + (parts?.path.split(separator: "/").map(String.init) ?? [])).joined(separator: "-")
    }
    let schema = parts?.queryItems?.first { $0.name == "schema" }?.value
    let database = parts?.path.split(separator: "/").last.map(String.init) ?? parts?.host ?? "server"
    return schema.map { "\(database).\($0)" } ?? database
  }
}
