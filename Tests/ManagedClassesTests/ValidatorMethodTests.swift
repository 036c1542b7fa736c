import CoreData
import Testing

/// Methods `validate<Key>`, which the plugin found.
@Suite struct ValidatorMethodTests {
  @Test func onSaveAndByCall() throws {
    try MusicModel.coordinator().inContext { context in
      let band = Band(context: context)
      band.name = "unnamed"
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .managedObjectValidation && error?.validationKey == "name")
      band.name = " Can "
      try context.save()
      #expect(band.name == "Can" && !context.hasChanges)
      var value: AnyObject? = NSString(string: "unnamed")
      #expect(throws: CocoaError.self) { try band.validateValue(&value, forKey: "name") }
    }
  }

  @Test func besideAnOverrideOfValidateValue() throws {
    try MusicModel.coordinator().inContext { context in
      let diary = Diary(context: context)
      diary.code = "wrong"
      let refused = #expect(throws: NSError.self) { try context.save() }
      #expect(refused?.code == 44)
      diary.text = "rude"
      let both = #expect(throws: CocoaError.self) { try context.save() }
      let details = both?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(Set(details.map(\.code)) == [43, 44])
      (diary.code, diary.text) = ("right", "kind")
      try context.save()
    }
  }
}
