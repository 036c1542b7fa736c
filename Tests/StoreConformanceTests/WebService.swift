import Foundation

/// A service as it may be at the other end of a network: resources as JSON documents with an ETag.
///
///     GET    /Person              the documents of all people
///     GET    /Person/12           one document
///     POST   /Person              reserves a number for a new document
///     PATCH  /                    stores, changes and removes documents, all or none; 409 where an ETag is not the latest
final class WebService: @unchecked Sendable {  // everything belongs to `lock`
  struct Request {
    var method = "GET"
    var path: String
    var body = Data()
  }

  struct Response {
    var status = 200
    var body = Data()
  }

  private struct Document {
    var entity: String
    var values: [String: Any]
    var tag: Int
  }

  let identifier = UUID().uuidString
  private let lock = NSLock()
  private var documents: [String: [Int: Document]] = [:]
  private var lastNumber = 0
  private var received: [String] = []

  /// What was asked for, as "GET /Person/12".
  var log: [String] {
    lock.lock()
    defer { lock.unlock() }
    return received
  }

  /// The entity of the document with that number.
  func entity(of number: Int) -> String? {
    lock.lock()
    defer { lock.unlock() }
    return documents.values.lazy.compactMap { $0[number]?.entity }.first
  }

  func answer(_ request: Request) -> Response {
    lock.lock()
    defer { lock.unlock() }
    received.append("\(request.method) \(request.path)")
    let parts = request.path.split(separator: "/").map(String.init)
    switch (request.method, parts.count) {
    case ("GET", 1):
      let found = documents[parts[0], default: [:]].sorted { $0.key < $1.key }
      return json(found.map { encoded($0.key, $0.value) })
    case ("GET", 2):
      guard let number = Int(parts[1]), let found = documents[parts[0]]?[number] else { return Response(status: 404) }
      return json(encoded(number, found))
    case ("POST", 1):
      lastNumber += 1
      return json(["number": lastNumber])
    case ("PATCH", 0): return change(request.body)
    default: return Response(status: 405)
    }
  }

  private func change(_ body: Data) -> Response {
    guard let changes = try? JSONSerialization.jsonObject(with: body) as? [[String: Any]] else {
      return Response(status: 400)
    }
    var changed = documents
    for change in changes {
      guard let root = change["root"] as? String, let number = change["number"] as? Int else {
        return Response(status: 400)
      }
      if let tag = change["tag"] as? Int, changed[root]?[number]?.tag != tag { return Response(status: 409) }
      if let values = change["values"] as? [String: Any], let entity = change["entity"] as? String {
        let tag = (changed[root]?[number]?.tag ?? 0) + 1
        changed[root, default: [:]][number] = Document(entity: entity, values: values, tag: tag)
      } else {
        changed[root]?[number] = nil
      }
    }
    documents = changed
    return Response(status: 204)
  }

  private func encoded(_ number: Int, _ document: Document) -> [String: Any] {
    ["number": number, "entity": document.entity, "values": document.values, "tag": document.tag]
  }

  private func json(_ value: Any) -> Response {
    // What is in the documents came out of JSON.
    guard let body = try? JSONSerialization.data(withJSONObject: value) else { return Response(status: 500) }
    return Response(body: body)
  }
}
