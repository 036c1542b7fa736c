import Foundation
import OpenCocoaFoundation

/// A store in one file of XML, in Apple's format.
final class XMLStore: AtomicFileStore, @unchecked Sendable {  // as AtomicFileStore
  /// The version of the format: that of the file that was read; for a new file, that of Apple's files.
  private var version = "134481920"
  private lazy var names = XMLStoreNames(entitiesHeld)

  override class var kind: String { NSXMLStoreType }

  override func read(_ data: Data) throws {
    let isStrict = (options?[NSValidateXMLStoreOption] as? NSNumber)?.boolValue ?? false
    var reader = try XMLStoreReader(data)
    try takeHead(reader.head.metadata)
    var loader = NodeLoader(self)
    try reader.readObjects(names, into: &loader, isStrict: isStrict)
    try loader.finish(checksInverses: isStrict)
    version = reader.head.version
    lastReference = max(reader.head.lastReference, loader.last)
  }

  override func contents() throws -> Data {
    let all = nodes.values.flatMap { $0.values.map(\.node) }.sorted { $0.objectID.key < $1.objectID.key }
    return try XMLStoreWriter.write(head, lastReference: lastReference, version: version, all, names) {
      stored($0.objectID.key, $0.objectID.entity.layout) != nil
    }
  }

  override class func metadata(in data: Data) throws -> StoreMetadata { try XMLStoreReader(data).head.metadata }

  override class func objectCounts(in data: Data) throws -> [String: Int] {
    var reader = try XMLStoreReader(data)
    return try reader.objectCounts()
  }

  override class func replace(_ metadata: StoreMetadata, in data: Data) throws -> Data {
    let head = try XMLStoreReader(data).head
    let new = try XMLStoreWriter.head(metadata, lastReference: head.lastReference, version: head.version)
    var replaced = Data(data.prefix(head.range.lowerBound))
    replaced.append(contentsOf: new)
    replaced.append(contentsOf: data.dropFirst(head.range.upperBound))
    return replaced
  }

  override class func describe(_ problem: StoreFileProblem, in data: Data) -> String {
    guard let place = problem.place else { return problem.reason }
    let line = data.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
    return "\(problem.reason.hasSuffix(".") ? String(problem.reason.dropLast()) : problem.reason) (line \(line))."
  }
}
