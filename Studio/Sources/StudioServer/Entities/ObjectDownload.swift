import CoreDataTools
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// All objects of a view in one file, which is written while the objects are read: only a few of them are in memory at a time.
struct ObjectDownload: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case csv, json

    var fileName: String { "objects.\(rawValue)" }
    var title: String { rawValue.uppercased() }
    var type: String { self == .csv ? "text/csv; charset=utf-8" : "application/json; charset=utf-8" }
  }

  private let view: EntityView
  private let format: Format
  /// The name of the references, as in the tool's exports. No property can have it.
  private static let referenceName = "@id"
  /// The number of bytes per part.
  private static let part = 64 << 10

  init(_ view: EntityView, _ format: Format) {
    self.view = view.with { $0.offset = 0 }
    self.format = format
  }

  func response(from store: OpenedStore, _ request: Request) async throws -> Response {
    // An error in the query is reported by a page, and not in the middle of a file.
    _ = try await store.read { try $0.explain(view.query(limit: 1), countsRows: false) }
    let name = "\(view.entity).\(format.rawValue)".filter { $0.isLetter || $0.isNumber || $0 == "." }
    return Response(
      status: .ok,
      headers: [
        .contentType: format.type, .contentDisposition: "attachment; filename*=UTF-8''\(Link.escaped(name))",
      ],
      body: .init { writer in
        // The reader waits until a part is taken, so that a client that reads slowly fills no memory.
        let parts = BoundedParts(limit: 4)
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { [view, format] in
            do {
              try await store.readAtLength { reader in
                try Self.write(view, format, reader) { try parts.put($0) }
              }
              parts.finish()
            } catch {
              parts.finish(throwing: error)
              throw error
            }
          }
          do {
            while let part = try await parts.next() { try await writer.write(ByteBuffer(string: part)) }
          } catch {
            parts.stop()
            throw error
          }
          try await group.waitForAll()
        }
        try await writer.finish(nil)
      })
  }

  private static func write(
    _ view: EntityView, _ format: Format, _ reader: StoreReader, _ send: (String) throws -> Void
  ) throws {
    let query = try view.query(limit: 0, in: reader)
    let names = try reader.columns(of: query)
    let secrets = SecretKeyPaths(view.entity, reader.model)
    let isSecret = names.map(secrets.contains)
    var text = format == .csv ? ([referenceName] + names).map { StoreValue.csv($0) }.joined(separator: ",") + "\n" : "["
    var isFirst = true
    try reader.rows(of: query) { reference, values in
      let values = zip(values, isSecret).map { $1 ? StoreValue.null : $0 }
      switch format {
      case .csv:
        text += ([StoreValue.csv(reference.description)] + values.map(\.csv)).joined(separator: ",") + "\n"
      case .json:
        let members = zip(names, values).map { "\(StoreValue.json($0)): \($1.json)" }
        let id = "\(StoreValue.json(referenceName)): \(StoreValue.json(reference.description))"
        text += (isFirst ? "\n" : ",\n") + "{" + ([id] + members).joined(separator: ", ") + "}"
      }
      isFirst = false
      if text.utf8.count >= part {
        try send(text)
        text = ""
      }
    }
    try send(format == .json ? text + "\n]\n" : text)
  }
}
