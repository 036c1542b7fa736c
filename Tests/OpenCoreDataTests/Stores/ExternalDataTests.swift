import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Binary attributes that may be kept in files beside the store.
@Suite(.enabled(if: Shell.hasSQLite, "there is no sqlite3 here")) struct ExternalDataTests {
  private func model() -> NSManagedObjectModel {
    let picture = TestModel.attribute("picture", .binaryDataAttributeType)
    picture.allowsExternalBinaryDataStorage = true
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Photo", [picture, TestModel.attribute("name", .stringAttributeType)])]
    return model
  }

  @Test func inlineValuesHaveTheirMarkInTheFileAndNotInTheObject() throws {
    let file = try TestModel.temporaryFile()
    let context = TestModel.context(try TestModel.coordinator(model(), url: file))
    try context.performAndWait { () throws in
      _ = context.make("Photo", ["picture": Data([9, 8, 7])])
      try context.save()
    }
    #expect(try Shell.sql(file, "SELECT hex(ZPICTURE) FROM ZPHOTO") == ["01090807"])
    let other = TestModel.context(try TestModel.coordinator(model(), url: file))
    try other.performAndWait { () throws in
      #expect(try other.all("Photo").first?.value(forKey: "picture") as? Data == Data([9, 8, 7]))
    }
  }

  @Test func aValueInAFileOfItsOwnIsReadAndItsReferenceSurvivesOtherChanges() throws {
    let file = try TestModel.temporaryFile("Album.sqlite")
    let context = TestModel.context(try TestModel.coordinator(model(), url: file))
    try context.performAndWait { () throws in
      _ = context.make("Photo", ["name": "before"])
      try context.save()
    }
    let name = "6F1B1C9E-0A53-4E0B-9B46-1F4C4A1B5D11"
    let folder = file.deletingLastPathComponent().appendingPathComponent(".Album_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let content = Data(repeating: 5, count: 200_000)
    try content.write(to: folder.appendingPathComponent(name))
    let reference = "02" + name.utf8.map { String(format: "%02X", Int($0)) }.joined() + "00"
    _ = try Shell.sql(file, "UPDATE ZPHOTO SET ZPICTURE = x'\(reference)'")

    let other = TestModel.context(try TestModel.coordinator(model(), url: file))
    try other.performAndWait { () throws in
      let photo = try #require(try other.all("Photo").first)
      #expect(photo.value(forKey: "picture") as? Data == content)
      photo.setValue("after", forKey: "name")
      try other.save()
    }
    #expect(try Shell.sql(file, "SELECT ZNAME, hex(ZPICTURE) FROM ZPHOTO") == ["after|\(reference)"])
  }
}
