import CoreData
import Foundation
import Testing

@testable import OpenCoreData

/// The log word for word at each level of `-com.apple.CoreData.SQLDebug`.
@Suite struct SQLDebugTests {
  private static func log(_ level: Int, _ environment: [String: String] = [:]) async throws -> String {
    let path = try TestModel.temporaryFile().path
    try LoggedWork.prepare(path)
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [level, path, environment] in
      if level > 0 { setenv("COREDATA_SQLDEBUG", "\(level)", 1) }
      for (name, value) in environment { setenv(name, value, 1) }
      try LoggedWork.run(path)
      exit(0)
    }
    return String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  @Test func dump() async throws {
    for level in 0...4 { print("LEVEL \(level)\n" + LoggedWork.normalized(try await Self.log(level))) }
  }
}
