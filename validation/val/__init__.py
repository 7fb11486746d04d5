"""The words of VAL: its options, its lines of output and its advice on failed plans."""
