import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The optimised form of a compiled model (.omo), which Xcode puts beside the .mom of the current version.
@Suite struct OptimisedModelTests {
  private let folder: URL
  /// What such a file holds is private to Apple: any bytes that are no model.
  private let optimised = Data([0x12, 0xfe, 0x00, 0xff, 0x80])

  init() throws {
    folder = try MigrationFixture.temporaryFolder().appendingPathComponent("Shop.momd")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ data: Data? = nil) throws -> URL {
    let url = folder.appendingPathComponent(name)
    let model = Data("<model><entity name='\(url.deletingPathExtension().lastPathComponent)'/></model>".utf8)
    try (data ?? model).write(to: url)
    return url
  }

  private func names(_ url: URL) throws -> [String?] {
    try NSManagedObjectModel(validatingContentsOf: url).entities.map(\.name)
  }

  private func reason(_ url: URL) -> NSError? {
    do {
      _ = try NSManagedObjectModel(validatingContentsOf: url)
      return nil
    } catch { return error as NSError }
  }

  @Test func theModelBesideItIsRead() throws {
    let plain = try write("Two.mom"), other = try write("Two.omo", optimised)
    _ = try write("One.mom")
    #expect(try names(other) == ["Two"] && names(plain) == ["Two"] && names(folder) == ["Two"])
    let info = ["NSManagedObjectModel_CurrentVersionName": "One"]
    _ = try write(
      "VersionInfo.plist", PropertyListSerialization.data(fromPropertyList: info, format: .binary, options: 0))
    #expect(try names(folder) == ["One"])
    #expect(try ModelFile.versions(of: folder).map(\.lastPathComponent) == ["One.mom", "Two.mom"])
    #expect(try ModelFile.versions(of: other).map(\.lastPathComponent) == ["Two.mom"])
  }

  @Test func aloneItIsNamedForWhatItIs() throws {
    let alone = try write("Alone.omo", optimised)
    for url in [alone, folder] {
      let error = reason(url)
      #expect(error?.code == CocoaError.Code.fileReadCorruptFile.rawValue)
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("“Alone.omo” is a compiled model that Xcode has optimised"), "\(text)")
      #expect(text.contains("“Alone.mom”, which is not beside it"), "\(text)")
    }
    #expect(throws: NSError.self) { try ModelFile.versions(of: alone) }
    // The version that is named as the current one, with other versions beside it.
    _ = try write("Old.mom")
    let info = ["NSManagedObjectModel_CurrentVersionName": "Alone"]
    _ = try write("VersionInfo.plist", PropertyListSerialization.data(fromPropertyList: info, format: .xml, options: 0))
    #expect(reason(folder)?.localizedDescription.contains("“Alone.omo” is a compiled model") == true)
    #expect(reason(folder.appendingPathComponent("None.omo"))?.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
  }
}
