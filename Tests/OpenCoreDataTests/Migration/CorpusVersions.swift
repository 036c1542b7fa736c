import Foundation

@_spi(Store) @testable import OpenCoreData

/// Versions of models in the corpus.
enum CorpusVersions {
  struct Pair {
    let name: String
    let before: NSManagedObjectModel
    let after: NSManagedObjectModel
  }

  /// Neighbours by name and number: the versions of one folder, and what one repository has.
  static func pairs() throws -> [Pair] {
    var groups: [String: [URL]] = [:]
    for url in Corpus.files(".xcdatamodel", below: "models") {
      let repository = url.lastPathComponent.components(separatedBy: "__").dropLast().joined(separator: "__")
      groups[repository, default: []].append(url)
    }
    for suffix in [".xcdatamodel", ".mom"] {
      for url in Corpus.files(suffix, below: "stores") {
        groups[url.deletingLastPathComponent().path, default: []].append(url)
      }
    }
    return try groups.sorted { $0.key < $1.key }.flatMap { _, urls in
      let sorted = urls.sorted { first, second in
        let names = [first, second].map { $0.deletingPathExtension().lastPathComponent }
        return names[0].compare(names[1], options: .numeric) == .orderedAscending
      }
      let models = try sorted.map { try NSManagedObjectModel(validatingContentsOf: $0) }
      // As a coordinator would have them: hashes are computed once.
      models.forEach { $0.freeze() }
      return zip(zip(sorted, models), zip(sorted, models).dropFirst()).map { before, after in
        Pair(name: "\(before.0.lastPathComponent) > \(after.0.lastPathComponent)", before: before.1, after: after.1)
      }
    }
  }
}
